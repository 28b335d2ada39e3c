import { describe, expect, it } from 'vitest'
import { isMailAddress } from '../../../../../shared/platform/mail/mail-address.ts'

describe('a mail address', () => {
  it.each(['ada@example.com', 'ada.king+work@mail.example.co.uk', "o'neil@example.com", 'a@localhost'])(
    'may be %j',
    (text) => expect(isMailAddress(text)).toBe(true),
  )

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\n',
    'ada@example.com\u0000',
    'ada@example.com,eve@example.com',
    'ada@example.com;eve@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    'ada(comment)@example.com',
    '"ada smith"@example.com',
    'ada smith@example.com',
    'ada@exa mple.com',
    'ada@@example.com',
    'ada@-example.com',
    'ada@example..com',
    '.ada@example.com',
    'ada@[127.0.0.1]',
    'ädа@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`,
  ])('is not %j', (text) => expect(isMailAddress(text)).toBe(false))
})
