// What can be wrong with an answer, as data; and in the API's words.

/** What an error says beside its code. */
interface Details {
  required: object;
  not_text: object;
  unclean_text: object;
  several_lines: object;
  too_short: { limits: { min: number } };
  too_long: { limits: { max: number } };
  not_number: { limits: { wholeNumber: boolean } };
  /** A typed number that may be read in two ways. */
  ambiguous_number: { readings: [string, string] };
  not_whole: object;
  too_small: { limits: { min: number } };
  too_large: { limits: { max: number } };
  not_choices: object;
  not_choice: object;
  bad_write_in_flag: object;
  unknown_option: object;
  mismatched_option: object;
  option_twice: object;
  several_options: object;
  too_few_choices: { limits: { min: number } };
  too_many_choices: { limits: { max: number } };
  write_in_not_allowed: object;
  write_in_twice: object;
  write_in_empty: InWriteIn;
  write_in_several_lines: InWriteIn;
  write_in_too_long: InWriteIn & { limits: { max: number } };
}

/** The error is in the write-in's own field. */
interface InWriteIn {
  part: "write-in";
}

type Code = keyof Details;

export type AnswerError<Of extends Code = Code> = { [C in Of]: { code: C } & Details[C] }[Of];

/** Words for every error. `More` is what they are made from besides the error. */
export type Messages<More extends unknown[] = []> = {
  readonly [C in Code]: (error: AnswerError<C>, ...more: More) => string;
};

export function messageOf<Of extends Code, More extends unknown[]>(
  messages: Messages<More>,
  error: AnswerError<Of>,
  ...more: More
): string {
  return messages[error.code](error, ...more);
}

const apiMessages: Messages = {
  required: () => "is required",
  not_text: () => "must be a string",
  unclean_text: () => "holds U+0000 or a lone surrogate",
  several_lines: () => "must be one line",
  too_short: ({ limits }) => `must have at least ${limits.min} characters`,
  too_long: ({ limits }) => `must have at most ${limits.max} characters`,
  not_number: () => "must be a number",
  ambiguous_number: ({ readings: [one, other] }) => `may be read as ${one} or as ${other}`,
  not_whole: () => "must be a whole number",
  too_small: ({ limits }) => `must be at least ${limits.min}`,
  too_large: ({ limits }) => `must be at most ${limits.max}`,
  not_choices: () => "must be an array of options",
  not_choice: () => "must hold objects with text and isWriteIn",
  bad_write_in_flag: () => "has an isWriteIn that is neither true nor false",
  unknown_option: () => "is not an option of this question",
  mismatched_option: () => "has an optionId and the text of another option",
  option_twice: () => "has an option twice",
  several_options: () => "must be one option",
  too_few_choices: ({ limits }) => `must have at least ${limits.min} choices`,
  too_many_choices: ({ limits }) => `must have at most ${limits.max} choices`,
  write_in_not_allowed: () => "does not allow a write-in",
  write_in_twice: () => "has more than one write-in",
  write_in_empty: () => "has a write-in without text",
  write_in_several_lines: () => "has a write-in of several lines",
  write_in_too_long: ({ limits }) => `has a write-in of more than ${limits.max} characters`,
};

/** An error in the API's words. */
export function apiMessage(error: AnswerError): string {
  return messageOf(apiMessages, error);
}
