const units = { W: 604_800, D: 86_400, H: 3600, M: 60, S: 1 } as const

const amount = String.raw`(\d{1,15}(?:[.,]\d{1,9})?)`
const iso = new RegExp(
  `^([+-])?P(?:${amount}Y)?(?:${amount}M)?(?:${amount}W)?(?:${amount}D)?(T(?:${amount}H)?(?:${amount}M)?(?:${amount}S)?)?$`,
)

/**
 * The whole seconds of an ISO 8601 duration (`P1DT2H`, `-PT90S`, `PT1.5H`); a problem when it is one but has no fixed, or
 * no whole, number of seconds; undefined for any other text.
 */
export function parseDuration(text: string): number | { readonly problem: string } | undefined {
  const match = iso.exec(text)
  if (!match || /[PT]$/.test(text)) return undefined
  const [, sign, years, months, weeks, days, , hours, minutes, seconds] = match
  if (years !== undefined || months !== undefined)
    return {
      problem:
        'may not hold years or months, which have no fixed length: write weeks, days, hours, minutes and seconds.',
    }
  const parts = [
    [weeks, units.W],
    [days, units.D],
    [hours, units.H],
    [minutes, units.M],
    [seconds, units.S],
  ] as const
  // Billionths, so that fractions add up exactly.
  let billionths = 0n
  for (const [part, unit] of parts) if (part !== undefined) billionths += inBillionths(part) * BigInt(unit)
  const total = Number(billionths / 1_000_000_000n)
  if (billionths % 1_000_000_000n !== 0n) return { problem: 'must be a whole number of seconds.' }
  if (!Number.isSafeInteger(total)) return { problem: 'is longer than can be counted in seconds.' }
  return sign === '-' && total !== 0 ? -total : total
}

function inBillionths(part: string): bigint {
  const [whole = '', fraction = ''] = part.split(/[.,]/)
  return BigInt(whole + fraction.padEnd(9, '0'))
}

/** Seconds as people say them: `1 d 2 h 30 min`. */
export function durationInWords(seconds: number): string {
  const words: string[] = []
  let left = Math.abs(seconds)
  for (const [unit, name] of [
    [units.D, 'd'],
    [units.H, 'h'],
    [units.M, 'min'],
    [units.S, 's'],
  ] as const) {
    const count = Math.floor(left / unit)
    left -= count * unit
    if (count > 0) words.push(`${count} ${name}`)
  }
  return words.length === 0 ? '0 s' : `${seconds < 0 ? '-' : ''}${words.join(' ')}`
}
