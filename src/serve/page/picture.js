// A picture of the user's on the tiles. It is cropped to a square in the page and is not sent anywhere.

import { $ } from "./dom.js";

const SIDE = 720; // pixels

// Calls `use` with the URL of the picture, or with null when it is removed.
export function pictures(use) {
  let address = null;
  const put = (next) => {
    if (address) URL.revokeObjectURL(address);
    address = next;
    $("no-picture").hidden = address === null;
    use(address);
  };
  $("picture").addEventListener("change", async () => {
    const [file] = $("picture").files;
    if (!file) return;
    try {
      put(URL.createObjectURL(await square(file)));
      $("picture-error").textContent = "";
    } catch {
      $("picture-error").textContent = `${file.name} is no picture that this browser can show.`;
    }
  });
  $("no-picture").addEventListener("click", () => {
    $("picture").value = "";
    put(null);
  });
}

// The middle of a picture, cropped to a square and scaled.
async function square(file) {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  canvas.getContext("2d").drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  return canvas.convertToBlob();
}
