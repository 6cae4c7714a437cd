// A consent that was given, in words for tables.

interface Given {
  version: string | null;
  language: string;
  at: string;
}

export function consentText({ version, language, at }: Given): string {
  return `Given ${at} (${[...(version === null ? [] : [`version ${version}`]), language].join(", ")})`;
}
