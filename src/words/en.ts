// What the participants' pages say by themselves, in English. The other languages have the same keys.

/**
 * `{name}` is replaced by a value. Where the words depend on a number, there is one text for each plural form of the language
 * (https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html), and the number is `{count}`.
 */
export const en = {
  // Around the questions.
  questions: "Questions",
  pageOf: "Page {number} of {total}",
  language: "Language",
  continue: "Continue",
  finish: "Finish",
  back: "Back",
  nothingToAnswer: "There are no questions to answer. Please press {finish}.",
  test: "Test: your answers don’t count",
  privacy: "Privacy",
  contact: "Contact",

  // What comes first on a page.
  error: "Error",
  errorMark: "Error:",
  problems: { one: "There is a problem", other: "There are {count} problems" },
  moreQuestions: { one: "One more question on this page", other: "{count} more questions on this page" },
  notSavedHeading: "Your answers are not saved yet",
  notSavedText:
    "The service is very busy just now. What you have entered is still here: wait a moment, then send it again.",
  updatedHeading: "The questions were updated",
  updatedText:
    "The questions have changed since you opened this page, and nothing is sent yet. What you have entered is still here, where a question is the same. Please look at it, and send it again.",
  updatedCut: "Some questions are not asked any more: what you have entered for those is not kept.",

  checkAgainHeading: "Nothing is sent yet",
  checkAgainText: "Please look at this page once more, then send it again.",

  // At an open link.
  yourName: "Your name",
  yourEmail: "Your email address",
  enterEmail: "Enter an email address, such as {example}",

  // At a question.
  optional: "(optional)",
  consentNeeded: "If you do not agree, leave the box empty. Then the questions end here",
  noAnswer: "No answer",
  somethingElse: "Something else",
  ownAnswer: "Your own answer",
  searchByTyping: "Search by typing",
  found: "Found: {number}",
  day: "Day",
  month: "Month",
  year: "Year",
  stars: { one: "{count} star", other: "{count} stars" },
  notAtAllLikely: "Not at all likely",
  extremelyLikely: "Extremely likely",
  choiceAt: {
    ordinal: true,
    one: "{count}st choice",
    two: "{count}nd choice",
    few: "{count}rd choice",
    other: "{count}th choice",
  },

  // What a question allows.
  charactersBetween: { one: "{min} to {count} character", other: "{min} to {count} characters" },
  charactersFrom: { one: "At least {count} character", other: "At least {count} characters" },
  charactersUpTo: { one: "Up to {count} character", other: "Up to {count} characters" },
  digitsExactly: { one: "{count} digit", other: "{count} digits" },
  digitsBetween: { one: "{min} to {count} digit", other: "{min} to {count} digits" },
  digitsFrom: { one: "At least {count} digit", other: "At least {count} digits" },
  digitsUpTo: { one: "Up to {count} digit", other: "Up to {count} digits" },
  number: "A number",
  numberBetween: "A number from {min} to {max}",
  numberFrom: "A number, {min} or more",
  numberUpTo: "A number, {max} or less",
  wholeNumber: "A whole number",
  wholeNumberBetween: "A whole number from {min} to {max}",
  wholeNumberFrom: "A whole number, {min} or more",
  wholeNumberUpTo: "A whole number, {max} or less",
  dateExample: "For example, {date}",
  dateExampleBetween: "For example, {date}. From {min} to {max}",
  dateExampleFrom: "For example, {date}. {min} or later",
  dateExampleUpTo: "For example, {date}. {max} or earlier",
  chooseExactly: { one: "Choose exactly {count}", other: "Choose exactly {count}" },
  chooseBetween: { one: "Choose {min} to {count}", other: "Choose {min} to {count}" },
  chooseAtLeast: { one: "Choose at least {count}", other: "Choose at least {count}" },
  chooseUpTo: { one: "Choose up to {count}", other: "Choose up to {count}" },
  chooseAll: "Choose all that apply",
  rankAll: "Rank all of them",
  rankExactly: { one: "Rank exactly {count}", other: "Rank exactly {count}" },
  rankBetween: { one: "Rank {min} to {count}", other: "Rank {min} to {count}" },
  rankUpTo: { one: "Rank up to {count}", other: "Rank up to {count}" },
  rankAny: "Rank as many as you like",
  oneInEachRow: "Choose one answer in each row",
  someInEachRow: "Choose at least one answer in each row",
  allInEachRow: "Choose all that apply in each row",

  // What is missing.
  writeAnswer: "Write an answer",
  // The example is not translated.
  enterPhone: "Enter a phone number, such as {example}",
  enterPostcode: "Enter a postcode",
  enterUrl: "Enter a web address, such as {example}",
  enterDigits: "Enter digits only, such as {example}",
  enterNumber: "Enter a number",
  enterDate: "Enter a date",
  enterYear: "Enter a year",
  chooseAnswer: "Choose an answer",
  chooseOneAtLeast: "Choose at least one answer",
  chooseNumber: "Choose a number",
  chooseStars: "Choose a number of stars",
  chooseFirst: "Choose a first one",
  someInOneRow: "Choose an answer in at least one row",
  rankAtLeast: { one: "Rank at least {count}", other: "Rank at least {count}" },

  // What is wrong.
  checkAnswer: "Please check this answer",
  uncleanText: "Your answer has characters that we can’t keep. Please type it again",
  oneLine: "Write your answer on one line",
  tooShort: { one: "Write at least {count} character", other: "Write at least {count} characters" },
  tooLong: { one: "Shorten your answer to {count} character", other: "Shorten your answer to {count} characters" },
  tooFewDigits: { one: "Enter at least {count} digit", other: "Enter at least {count} digits" },
  tooManyDigits: { one: "Enter no more than {count} digit", other: "Enter no more than {count} digits" },
  notNumber: "Enter a number, such as {whole} or {decimal}",
  notWholeNumber: "Enter a number, such as {whole}",
  ambiguousNumber: "Do you mean {first} or {second}? Write it like that",
  notWhole: "Enter a whole number, such as {whole}",
  tooSmall: "Enter a number that is {min} or more",
  tooLarge: "Enter a number that is {max} or less",
  noSuchDay: { one: "{month} has only {count} day", other: "{month} has only {count} days" },
  tooEarly: "Enter a date that is {min} or later",
  tooLate: "Enter a date that is {max} or earlier",
  dayMissing: "Enter the day, too",
  monthMissing: "Enter the month, too",
  yearMissing: "Enter the year, too",
  dayWrong: "Enter the day as a number from 1 to 31",
  monthWrong: "Enter the month as a number from 1 to 12",
  yearWrong: "Enter the year with four digits, such as 1990",
  onlyOneAnswer: "Choose only one answer: select one, or write your own, but not both",
  tooManyChoices: { one: "Choose no more than {count}", other: "Choose no more than {count}" },
  optionAlone: "Choose “{option}” alone, or choose others without it",
  rankMissing: "Leave no rank out",
  rankedTwice: "Choose each one only once",
  rowsMissing: "Choose an answer in each row. Missing: {number}",
  ownAnswerEmpty: "Write your own answer, or choose another one",
  ownAnswerOneLine: "Write your own answer on one line",
  ownAnswerTooLong: {
    one: "Shorten your own answer to {count} character",
    other: "Shorten your own answer to {count} characters",
  },

  // How it ended. None of these says who qualified.
  thanksHeading: "Thank you",
  thanksText: "Your answers have been sent. You can close this page now.",
  leadsTo: "You will be taken to {address}",
  answeredHeading: "You have already answered",
  answeredText: "Your answers have been sent, and there is nothing more to do. Thank you for taking part.",
  closedHeading: "This study is closed",
  closedText:
    "It takes no more answers. Thank you for your interest. If you think that this is a mistake, please contact the people who invited you.",
  expiredHeading: "This link has expired",
  expiredText:
    "It takes no more answers. If you would still like to take part, please contact the people who invited you.",
  pausedHeading: "This study is paused",
  pausedText:
    "It takes no answers at the moment. What you have sent before is kept. Please open your link again later.",
  notYetOpenHeading: "This study is not open yet",
  notYetOpenText: "Please open your link again then.",
  opensOn: "It opens on {time}.",
  removedHeading: "This link is no longer available",
  removedText:
    "It has been withdrawn, and takes no more answers. If you would still like to take part, please contact the people who invited you.",
  noConsentHeading: "You have not agreed",
  noConsentText: "You will not be asked anything else, and you don’t take part. You can close this page now.",
  withdrawHeading: "Withdraw from this study",
  withdrawText:
    "Your answers will be taken out of the study, and you will not be asked anything else. This can’t be undone.",
  withdrawButton: "Withdraw",
  withdrawnHeading: "You have withdrawn",
  withdrawnText: "Your answers are no longer part of the study. You can close this page now.",
  ownDataHeading: "Your data",
  dataHeading: "Ask for your data",
  dataText: "The people who invited you will be asked to send you everything that is kept here about you.",
  dataButton: "Ask for my data",
  dataAskedHeading: "You have asked for your data",
  eraseHeading: "Ask to be erased",
  eraseText:
    "The people who invited you will be asked to erase everything that is kept here about you: your name, your email address, and all your answers, also those to other studies of theirs. Once it is erased, it can’t be brought back.",
  eraseButton: "Ask to be erased",
  eraseAskedHeading: "You have asked to be erased",
  askedOn: "You asked for this on {time}. The people who invited you can see your request.",
  askedBefore: "You asked for this before, and it was marked as done on {time}. You can ask again.",
  answersErased: "Your answers were erased on {time}.",
  fullHeading: "This study is full",
  fullText: "Enough people have taken part already, so it takes no more answers. Thank you for your interest.",

  // What went wrong with a link or a form.
  noLinkHeading: "This link does not work",
  noLinkText:
    "Please check that you have the whole link, just as it was sent to you. If it still does not work, please contact the people who invited you.",
  unreadableHeading: "That could not be read",
  unreadableText:
    "What was sent can’t have come from our page as it is. Please open your link again; what you have sent before is kept.",
  laterHeading: "Please try again in a moment",
  laterText: "The service is very busy just now. Nothing is lost: wait a little, then open your link again.",
  waitHeading: "Please wait a minute",
  waitText:
    "Too many links that do not work were opened from your network. Please wait a minute, then open your link again.",
  tooLargeHeading: "That was too much at once",
  tooLargeText: "Your answers on this page are longer than we can take. Please go back, and shorten them.",
  suspendedHeading: "This study is not available at the moment",
  suspendedText: "Your answers so far are kept. Please open your link again later.",
  browserHeading: "Your browser can’t show this page",
  browserText: "It accepts no format in which we can send the page. Please open your link in another browser.",
  failedHeading: "Something went wrong",
  failedText:
    "That was our fault, not yours. What you have sent before is kept. Please open your link again in a while.",

  // Links that are mailed, and emails that are confirmed.
  goOnLater: "Go on later",
  goOnLaterText:
    "We can email you your link, so that you can go on at another time, or on another device. What you have entered on this page is saved.",
  mailMyLink: "Email me my link",
  linkMailedText:
    "A message with your link is on its way to {address}. If it does not come within a few minutes, look in your spam folder.",
  linkMailedOften: "Your link has already been sent several times. Please wait an hour before you ask for it again.",
  linkMailSubject: "Your link",
  linkMailText: "Here is your link to “{study}”. With it, you can go on where you were:",
  linkMailPrivate: "The link is for you alone. Anyone who has it can see and change your answers.",
  mailByMistake:
    "If you did not ask for this message, somebody has typed your address by mistake. You don’t need to do anything.",
  confirmMailText:
    "Somebody wants to take part in “{study}” with this email address. If it is you, open this link to confirm your address and to go on:",
  confirmMailDays: { one: "The link works for {count} day.", other: "The link works for {count} days." },
  confirmSentHeading: "Check your email",
  confirmSentText:
    "We have sent a message to the address that you gave. Open the link in it to go on: you do not take part until then. If it does not come within a few minutes, look in your spam folder.",
  confirmHeading: "Confirm your email address",
  confirmText: "Confirm that the address to which this link was sent is yours. Then you can go on.",
  confirmButton: "Confirm and go on",
} as const;
