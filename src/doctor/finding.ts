// What the doctor finds.

/** Something that is wrong (error), or that may become so (warning), and what to do about it. */
export interface Finding {
  level: "error" | "warning";
  message: string;
  advice: string;
}

export function isError({ level }: Finding): boolean {
  return level === "error";
}

export function error(message: string, advice: string): Finding {
  return { level: "error", message, advice };
}

export function warning(message: string, advice: string): Finding {
  return { level: "warning", message, advice };
}
