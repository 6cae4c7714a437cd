// In a frame of another site: says how high the page is, so that the frame can be as high. Only the sites hear it that may show the page.
const { origins } = document.currentScript.dataset;
if (parent !== self) {
  // Where the browser says which site it is, no other one is tried.
  const around = location.ancestorOrigins?.[0];
  const hearing = origins.split(" ").filter((origin) => around === undefined || origin === around);
  const say = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    for (const origin of hearing) parent.postMessage({ type: "screening.height", height }, origin);
  };
  new ResizeObserver(say).observe(document.documentElement);
}
