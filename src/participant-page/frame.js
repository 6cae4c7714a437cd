// In a frame of another site: says how high the page is, so that the frame can be as high; and that the study has ended, and where it leads
// to. Only the sites hear it that may show the page.
const { origins, ended } = document.currentScript.dataset;
if (parent !== self) {
  // Where the browser says which site it is, no other one is tried.
  const around = location.ancestorOrigins?.[0];
  const hearing = origins.split(" ").filter((origin) => around === undefined || origin === around);
  const say = (message) => {
    for (const origin of hearing) parent.postMessage(message, origin);
  };
  new ResizeObserver(() => {
    say({ type: "screening.height", height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
  }).observe(document.documentElement);
  if (ended !== undefined) say({ type: "screening.ended", leadsTo: ended || null });
}
