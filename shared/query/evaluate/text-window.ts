const unitsPerWindow = 3
/** Units have 16 bits; one value more stands for the end of the text. */
const base = 2 ** 17

/** Three UTF-16 units of a text as a number: of texts that are equal before them, in the order of code points. */
export function textWindow(text: string, start: number, window: number): number {
  const from = start + window * unitsPerWindow
  let number = 0
  for (let at = from; at < from + unitsPerWindow; at += 1)
    number = number * base + (at < text.length ? rank(text.charCodeAt(at)) + 1 : 0)
  return number
}

/** Surrogates encode the code points above all others. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** How many units of a text its prefix key tells exactly: six of Latin-1, of others a third as many (`prefixOf`). */
export function prefixUnits(text: string): number {
  let [units, digits] = [0, 0]
  for (; units < text.length; units += 1) {
    digits += text.charCodeAt(units) < 0x100 ? 1 : 3
    if (digits > 6) break
  }
  return units
}
