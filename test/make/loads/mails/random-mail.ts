import { automaticShapes } from './automatic-shapes.ts'
import { bodyShapes } from './body-shapes.ts'
import { damagedShapes } from './damaged-shapes.ts'
import { headerShapes } from './header-shapes.ts'
import type { MailShape } from './mail-shape.ts'
import { partShapes } from './part-shapes.ts'

/** Every shape of mail whose reading is known. */
export const mailShapes: readonly MailShape[] = [
  ...headerShapes,
  ...bodyShapes,
  ...partShapes,
  ...damagedShapes,
  ...automaticShapes,
]

/** Mails larger than this are tried once each; combinations are of the others. */
const maxCombinedBytes = 64 * 1024

/** The same numbers for the same seed: 0 ≤ value < below. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 4) % below
  }
}

/** Mails of the shapes, cut, doubled, mixed and with wrong bytes: the same for the same seed. */
export function randomMails(count: number, seed: number): Buffer[] {
  const number = numbersOf(seed)
  const small = mailShapes.map(({ raw }) => raw()).filter(({ length }) => length > 0 && length <= maxCombinedBytes)
  const any = (): Buffer => Buffer.from(small[number(small.length)] as Buffer)
  const damage: readonly ((mail: Buffer) => Buffer)[] = [
    (mail) => mail.subarray(0, number(mail.length)),
    (mail) => mail.subarray(number(mail.length)),
    (mail) => Buffer.concat([mail, any()]),
    (mail) => Buffer.concat([mail.subarray(0, number(mail.length)), any(), mail.subarray(number(mail.length))]),
    (mail) => Buffer.from(mail.map((byte) => (number(50) === 0 ? number(256) : byte))),
    (mail) => Buffer.from(mail.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    (mail) => Buffer.from(mail.toString('latin1').replaceAll('\r\n', '\r'), 'latin1'),
    (mail) => Buffer.concat([Buffer.from('Content-Type: message/rfc822\r\n\r\n'), mail]),
    (mail) => Buffer.concat([Buffer.from('Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n'), mail]),
    (mail) => Buffer.from(mail.toString('base64')),
  ]
  return Array.from({ length: count }, () => {
    let mail = any()
    for (let times = number(4); times > 0 && mail.length > 0; times -= 1)
      mail = (damage[number(damage.length)] as (one: Buffer) => Buffer)(mail).subarray(0, 4 * maxCombinedBytes)
    return mail
  })
}
