// The colours of distances, from the goal to the farthest board: the same on tiles, map and charts. Their lightness and chroma are
// set by the style sheet, for light and dark.

// The part of the whole scale that a distance is at.
export const partOf = (distance: number, longest: number) => Math.max(0, Math.min(1, distance / Math.max(longest, 1)));

// The colour of a distance.
export function scale(distance: number, longest: number) {
  const style = getComputedStyle(document.documentElement);
  const [lightness, chroma] = ["--scale-l", "--scale-c"].map((name) => style.getPropertyValue(name));
  return `oklch(${lightness} ${chroma} ${168 - 250 * partOf(distance, longest)})`;
}

// The colours of all distances as pixels.
export function scaleColours(longest: number) {
  const canvas = Object.assign(document.createElement("canvas"), { width: longest + 1, height: 1 });
  const context = canvas.getContext("2d")!;
  for (let distance = 0; distance <= longest; distance++) {
    context.fillStyle = scale(distance, longest);
    context.fillRect(distance, 0, 1, 1);
  }
  return new Uint32Array(context.getImageData(0, 0, longest + 1, 1).data.buffer);
}
