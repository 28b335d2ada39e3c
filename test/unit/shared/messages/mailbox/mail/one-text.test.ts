import { describe, expect, it } from 'vitest'
import { readMail } from '../../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { mailOf } from '../../../../../make/loads/mails/mail-shape.ts'

type Part = readonly [type: string, content: string]
const text = (content: string): Part => ['text/plain; charset=utf-8', content]
const html = (content: string): Part => ['text/html; charset=utf-8', content]
const parts = (boundary: string, all: readonly Part[]): string =>
  `${all.map(([type, content]) => `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`
const alternative = (...all: Part[]): Part => ['multipart/alternative; boundary=alt', parts('alt', all)]
const related = (...all: Part[]): Part => ['multipart/related; boundary=rel', parts('rel', all)]
const read = async (...all: Part[]): Promise<string> =>
  (await readMail(mailOf({ 'Content-Type': 'multipart/mixed; boundary=mix' }, parts('mix', all)))).body

describe('the one text of a mail', () => {
  it.each<[string, readonly Part[], string]>([
    [
      'HTML, then the footer of a gateway',
      [html('<p>The light is off.</p>'), text('Scanned.')],
      'The light is off.\n\nScanned.',
    ],
    ['a footer of its own kind, then HTML', [text('External mail.'), html('<p>Help</p>')], 'External mail.\n\nHelp'],
    ['several HTML parts', [html('<p>one</p>'), html('<p>two</p>')], 'one\n\ntwo'],
    [
      'a text that only says that there is HTML',
      [alternative(text('Your program cannot show HTML.'), html('<p>Door stuck</p>'))],
      'Door stuck',
    ],
    [
      'the same in German',
      [alternative(text('Diese Nachricht hat HTML, das Ihr Programm nicht anzeigt.'), html('<p>Klemmt</p>'))],
      'Klemmt',
    ],
    ['an empty text', [alternative(text(''), html('<p>Door stuck</p>'))], 'Door stuck'],
    [
      'a text that was cut',
      [alternative(text('Hello'), html('<p>Hello, the door of hall two does not open</p>'))],
      'Hello, the door of hall two does not open',
    ],
    [
      'HTML that says no more',
      [alternative(text('The door is stuck.'), html('<p>The <b>door</b> is stuck.</p>'))],
      'The door is stuck.',
    ],
    [
      'HTML with a picture alone',
      [alternative(text('The door is stuck.'), html('<img src="cid:x">'))],
      'The door is stuck.',
    ],
    [
      'alternatives with HTML in a multipart',
      [alternative(text('See HTML'), related(html('<p>Gate 4 is open</p>')))],
      'Gate 4 is open',
    ],
    [
      'a footer beside alternatives',
      [alternative(text('Hi there'), html('<p>Hi there</p>')), text('List footer')],
      'Hi there\n\nList footer',
    ],
  ])('%s', async (_, given, body) => expect(await read(...given)).toBe(body))
})
