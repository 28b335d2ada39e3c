import { describe, expect, it } from 'vitest'
import { BrokenSeal, createSecretBox } from '../../../../../shared/platform/secrets/secret-box.ts'
import { localKms, testKeyArn } from '../../../../make/services/stores/local-kms.ts'

const client = localKms(Buffer.alloc(32, 1))
const box = createSecretBox(testKeyArn, client)
const [acme, other] = [{ id: 1 }, { id: 2 }]

describe('a sealed text', () => {
  it('opens to what was sealed, and looks different each time', async () => {
    const text = 'pässword ✓ '.repeat(20)
    const [first, second] = await Promise.all([
      box.seal(acme, 'MAIL_PASSWORD', text),
      box.seal(acme, 'MAIL_PASSWORD', text),
    ])
    expect(await box.open(acme, 'MAIL_PASSWORD', first)).toBe(text)
    expect(first).not.toBe(second)
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('password')
  })

  it('opens for no other tenant and no other name', async () => {
    const sealed = await box.seal(acme, 'MAIL_PASSWORD', 'hidden')
    await expect(box.open(other, 'MAIL_PASSWORD', sealed)).rejects.toThrow(BrokenSeal)
    await expect(box.open(acme, 'IMAP_PASSWORD', sealed)).rejects.toThrow(BrokenSeal)
  })

  it.each([
    ['nothing', () => ''],
    ['a few bytes', () => 'AAAA'],
    [
      'one changed bit',
      (sealed: string) => (sealed[20] === 'A' ? 'B' : 'A').padStart(21, sealed).slice(0, 21) + sealed.slice(21),
    ],
    ['a cut', (sealed: string) => sealed.slice(0, -4)],
  ])('that is %s does not open', async (_, change) => {
    const sealed = await box.seal(acme, 'MAIL_PASSWORD', 'hidden')
    await expect(box.open(acme, 'MAIL_PASSWORD', change(sealed))).rejects.toThrow(BrokenSeal)
  })

  it('does not open with a key file of another machine', async () => {
    const sealed = await box.seal(acme, 'MAIL_PASSWORD', 'hidden')
    const elsewhere = createSecretBox(testKeyArn, localKms(Buffer.alloc(32, 2)))
    await expect(elsewhere.open(acme, 'MAIL_PASSWORD', sealed)).rejects.toThrow(BrokenSeal)
  })

  it('is refused over the limit of KMS', async () => {
    await expect(box.seal(acme, 'MAIL_PASSWORD', 'x'.repeat(4097))).rejects.toThrow(RangeError)
  })

  it('fails loudly with a key that does not exist', async () => {
    await expect(createSecretBox('arn:none', client).seal(acme, 'MAIL_PASSWORD', 'x')).rejects.toMatchObject({
      name: 'NotFoundException',
    })
  })
})
