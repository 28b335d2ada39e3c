/** A number from 0 to 2^32 - 1 that depends on every bit of both arguments. The same arguments give the same number. */
export function mixed(n: number, salt: number): number {
  let hash = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A whole number below `end`. */
export const below = (end: number, n: number, salt: number): number => Math.floor((mixed(n, salt) / 2 ** 32) * end)

export const oneOf = <T>(list: readonly T[], n: number, salt: number): T => list[below(list.length, n, salt)] as T

/** Each occurs in 10 % of the titles. */
export const tenthWords = [
  'printer',
  'network',
  'password',
  'monitor',
  'keyboard',
  'licence',
  'telephone',
  'projector',
  'account',
  'battery',
]

/** Each occurs in 5 % of the titles, with a capital. */
export const twentiethWords = [
  'Scanner',
  'Router',
  'Laptop',
  'Badge',
  'Charger',
  'Headset',
  'Tablet',
  'Server',
  'Camera',
  'Mailbox',
  'Backup',
  'Firewall',
  'Invoice',
  'Contract',
  'Desk',
  'Window',
  'Elevator',
  'Heating',
  'Parking',
  'Kitchen',
]

const syllables = ['ba', 'do', 'fe', 'gu', 'ka', 'lo', 'mi', 'nu', 'pa', 'ro', 'se', 'ti', 'vo', 'wa', 'xi', 'zu']

/** One of 4,096 invented words. */
export function inventedWord(n: number, salt: number): string {
  const number = below(4096, n, salt)
  return `${syllables[number & 15]}${syllables[(number >> 4) & 15]}${syllables[(number >> 8) & 15]}`
}

/** A word of its own for each number: all have the same length, so none begins another one. */
export const rareWord = (number: number): string => `k${number.toString(36).padStart(5, '0')}`
