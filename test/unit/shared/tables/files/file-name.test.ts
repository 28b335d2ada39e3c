import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attachment, safeFileName } from '../../../../../shared/tables/files/file-name.ts'
import { runs } from '../../../../make/depth.ts'

it.each([
  ['Plan 7.pdf', 'Plan 7.pdf'],
  ['Übersicht – 東京 👩‍🔧.png', 'Übersicht – 東京 👩‍🔧.png'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\temp\\a.txt', 'C__temp_a.txt'],
  ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie_ x.txt'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['.htaccess', 'htaccess'],
  ['name. . ', 'name'],
  ['..', 'file'],
  ['\u0000', 'file'],
  ['a\ud800b.txt', 'ab.txt'],
])('the file name %j becomes %j', (name, safe) => expect(safeFileName(name)).toBe(safe))

it('a file name that is too long keeps its extension', () => {
  const safe = safeFileName(`${'ä'.repeat(300)}.png`)
  expect(safe).toMatch(/^ä+\.png$/)
  expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200)
})

it('any text becomes a file name that is safe in a path and in a header', () => {
  const property = fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
    const safe = safeFileName(name)
    expect(safe).not.toMatch(/[/\\\p{Cc}]|^\.|^$/u)
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200)
    expect(safeFileName(safe)).toBe(safe)
    expect(attachment(safe)).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w!~.%-]+$/)
  })
  fc.assert(property, { numRuns: runs(500) })
})
