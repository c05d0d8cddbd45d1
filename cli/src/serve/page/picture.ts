// A picture of the user's on the tiles. It is cropped to a square in the page, kept by the browser, and not sent anywhere.

import { $ } from "./dom.js";

const SIDE = 720; // pixels
const KEPT = "puzzledb.picture";

// Calls `use` with the URL of the picture, also of one that was kept, or with null when it is removed.
export function pictures(use: (address: string | null) => void) {
  const put = (address: string | null) => {
    $("no-picture").hidden = address === null;
    use(address);
  };
  $("picture").addEventListener("change", async () => {
    const [file] = $("picture").files ?? [];
    if (!file) return;
    try {
      const address = await square(file);
      put(address);
      $("picture-error").textContent = "";
      keep(address);
    } catch {
      $("picture-error").textContent = `${file.name} is no picture that this browser can show.`;
    }
  });
  $("no-picture").addEventListener("click", () => {
    $("picture").value = "";
    put(null);
    keep(null);
  });
  const kept = stored((store) => store.getItem(KEPT));
  if (kept?.startsWith("data:image/")) put(kept);
}

// What `use` makes of the browser's store; null where there is none, or it is full.
function stored<T>(use: (store: Storage) => T) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

const keep = (address: string | null) => stored((store) => (address ? store.setItem(KEPT, address) : store.removeItem(KEPT)));

// The middle of a picture, cropped to a square and scaled, as a `data:` URL.
async function square(file: File) {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  canvas.getContext("2d")!.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  return canvas.toDataURL("image/webp", 0.85);
}
