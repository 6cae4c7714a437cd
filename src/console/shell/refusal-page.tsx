// A page that says why something does not work, and where to go from there.

import { renderPage, type SignedIn } from "./layout.tsx";

export interface WayOn {
  base: string;
  /** Undefined: nobody has signed in. */
  signedIn: SignedIn | undefined;
  /** The page that led here. */
  back: string | undefined;
}

export function renderRefusal({ base, signedIn, back }: WayOn, heading: string, text: string): string {
  return renderPage(
    { base, title: heading, signedIn, isBare: true },
    <>
      <h1>{heading}</h1>
      <p>{text}</p>
      {back !== undefined && (
        <p>
          <a href={back}>Back to the page before</a>
        </p>
      )}
      <p>
        <a href={`${base}/console`}>To the console</a>
      </p>
    </>,
  );
}
