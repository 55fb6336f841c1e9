// When the script began, so that the page can tell how long it took to be ready.

const BEGAN = performance.now();
