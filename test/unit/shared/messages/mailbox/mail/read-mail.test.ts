import { describe, expect, it } from 'vitest'
import { readMail } from '../../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { runs } from '../../../../../make/depth.ts'
import { oddMails } from '../../../../../make/loads/mails/odd-mails.ts'
import { mailShapes, randomMails } from '../../../../../make/loads/mails/random-mail.ts'
import { expectBounded } from '../../../../../make/oracles/bounded-mail.ts'

describe('readMail', () => {
  it.each(mailShapes)('reads $name', async ({ raw, says }) => {
    const mail = await readMail(raw())
    expect(mail).toMatchObject(says)
    expectBounded(mail)
  })

  it('reads damaged and mixed mails within its bounds', async () => {
    for (const raw of randomMails(runs(500, 200), 20_261_122)) expectBounded(await readMail(raw))
  })

  it('reads odd mails within its bounds', async () => {
    for (const raw of oddMails()) expectBounded(await readMail(raw))
  })

  it('reads the same mail the same way twice', async () => {
    for (const raw of randomMails(50, 7)) expect(await readMail(raw)).toEqual(await readMail(raw))
  })
})
