/** An exact decimal number: `unscaled` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/** Far more digits than any number of ours has. To read more takes a time that grows with their square. */
const maxReadDigits = 5_000

/** Reads `12.50`, `-3`, `.5`, `1e3`, without rounding; undefined for any other text, and for one without end. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', written = '', exponent = '0'] = form.exec(text) ?? []
  if (sign === undefined || whole + written === '') return undefined
  const fraction = withoutLastZeros(written)
  if (whole.length + fraction.length > maxReadDigits) return undefined
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction || '0') * (sign === '-' ? -1n : 1n)
  return scale < 0 ? { unscaled: digits * 10n ** BigInt(-scale), scale: 0 } : trimmed(digits, scale)
}

function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** The same number with no more digits after the point than it needs. */
function trimmed(unscaled: bigint, scale: number): Decimal {
  let [digits, left] = [unscaled, scale]
  while (left > 0 && digits % 10n === 0n) {
    digits /= 10n
    left -= 1
  }
  return { unscaled: digits, scale: left }
}

/** The number with `scale` digits after the point, or with as many as it needs. */
export function formatDecimal({ unscaled, scale }: Decimal, places = scale): string {
  const digits = unscaled < 0n ? -unscaled : unscaled
  const text = (digits * 10n ** BigInt(Math.max(0, places - scale))).toString()
  const after = Math.max(scale, places)
  const padded = text.padStart(after + 1, '0')
  const point = padded.length - after
  return `${unscaled < 0n ? '-' : ''}${padded.slice(0, point)}${after > 0 ? `.${padded.slice(point)}` : ''}`
}

/** `total` by `count`, rounded to `places` digits after the point, half to even, without zeros beyond `least` digits. */
export function averageOf({ unscaled, scale }: Decimal, count: number, places: number, least: number): string {
  const divisor = BigInt(count)
  const scaled = unscaled * 10n ** BigInt(places - scale)
  const [whole, rest] = [scaled / divisor, scaled % divisor]
  const twice = (rest < 0n ? -rest : rest) * 2n
  const isUp = twice > divisor || (twice === divisor && whole % 2n !== 0n)
  return formatDecimal(trimmed(isUp ? whole + (scaled < 0n ? -1n : 1n) : whole, places), least)
}

/** Compares texts of decimals exactly: without zeros in front, exponents, or a minus before nothing but zeros. */
export function compareDecimals(a: string, b: string): number {
  if (a === b) return 0
  const isNegative = a.startsWith('-')
  if (isNegative !== b.startsWith('-')) return isNegative ? -1 : 1
  return isNegative ? compareMagnitudes(b, a, 1) : compareMagnitudes(a, b, 0)
}

function compareMagnitudes(a: string, b: string, start: number): number {
  const [first, second] = [wholeLength(a), wholeLength(b)]
  if (first !== second) return first - second
  const length = Math.max(a.length, b.length)
  for (let at = start; at < length; at += 1) {
    // A digit that is not there is a zero; a point stands in the same place in both.
    const [left, right] = [at < a.length ? a.charCodeAt(at) : 48, at < b.length ? b.charCodeAt(at) : 48]
    if (left !== right && at !== first) return left - right
  }
  return 0
}

const wholeLength = (text: string): number => {
  const point = text.indexOf('.')
  return point === -1 ? text.length : point
}
