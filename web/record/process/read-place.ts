const number = '(-?[\\d.]+)'
const box = new RegExp(`viewBox="${number} ${number} ${number} ${number}"`)
/** The first shape that waits or failed, by where it is drawn. */
const place = new RegExp(`class="is-(?:active|failed)"[^]*?(?: x="|cx="|d="M)${number}(?:" c?y="| )${number}`)

/** How wide the picture of a process is, and where in it the process stands first, in parts of its width and height. */
export function readPlace(svg: string): { readonly width: number; readonly x?: number; readonly y?: number } {
  const [left = 0, top = 0, width = 0, height = 0] = box.exec(svg)?.slice(1).map(Number) ?? []
  const [x, y] = place.exec(svg)?.slice(1).map(Number) ?? []
  return x === undefined || y === undefined ? { width } : { width, x: (x - left) / width, y: (y - top) / height }
}
