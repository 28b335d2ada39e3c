import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { kindOfCode } from '../../../shared/kernel/failures/failure-codes.ts'
import { Invalid } from '../../../shared/kernel/failures/faults.ts'
import { type FieldErrors, say, sentenceOf } from '../../../shared/kernel/failures/sentence.ts'
import { sentences } from '../../../shared/kernel/failures/sentences.ts'
import { parseInput } from '../../../shared/platform/http/routing/input/parse-input.ts'
import { quote, quoteIn, quoteRefusal, quoteStored } from '../../../web/words/service-words.ts'
import { german } from '../../../web/words/service/de.ts'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { labelsOf } = await import('../../../web/api/tables.ts')

const form = labelsOf([
  { name: 'short_description', type: 'text', label: 'Kurzbeschreibung' },
  {
    name: 'priority',
    type: 'value_list',
    label: 'Priorität',
    options: [{ slug: 'low', label: 'Niedrig' }, { slug: 'high' }],
  },
  {
    name: 'status',
    type: 'state_model',
    states: [
      { slug: 'new', label: 'Neu' },
      { slug: 'closed', label: 'Geschlossen' },
    ],
  },
])

describe('what the service says', () => {
  it('stays as it is in English, but for the labels of a form', async () => {
    await quoteIn('en')
    const said = say('required', { field: 'short_description' })
    expect([quote(said), quote(said, form)]).toEqual([
      'The short_description field is required.',
      'The Kurzbeschreibung field is required.',
    ])
  })

  describe('in German', () => {
    beforeAll(() => quoteIn('de'))
    afterAll(() => quoteIn('en'))

    it.each([
      [say('required', { field: 'short_description' }), 'Kurzbeschreibung fehlt noch.'],
      [say('required', { field: 'email' }), 'E-Mail-Adresse fehlt noch.'],
      [
        say('required_when', { field: 'short_description', other: 'status', value: 'closed' }),
        'Kurzbeschreibung fehlt noch: Das wird gebraucht, wenn Status Geschlossen ist.',
      ],
      [
        say('no_such_move', { field: 'status', from: 'new', to: 'closed', allowed: [] }),
        'Von Neu führt kein Schritt nach Geschlossen. Von hier führt keiner weiter.',
      ],
      [
        say('not_one_of', { field: 'priority', allowed: ['low', 'high', 'odd'] }),
        'Priorität: Wählen Sie eines von Niedrig, High, odd.',
      ],
      [
        say('unknown_field', { field: 'prio', nearest: 'priority' }),
        'Ein Feld prio gibt es nicht. Meinten Sie Priorität?',
      ],
      [
        say('not_url_with', { field: 'link', schemes: ['http:', 'https:'] }),
        'link muss eine gültige Adresse sein, die mit http: oder https: beginnt.',
      ],
      [say('task_taken_by', { name: undefined }), 'Diese Aufgabe hat schon jemand anderes übernommen.'],
      [say('task_taken_by', { name: 'Ada' }), 'Ada hat diese Aufgabe schon übernommen.'],
    ])('$message', (said, words) => expect(quote(said, form)).toBe(words))

    it('is the sentence of its code where it has no values, and as it is where neither is known', () => {
      expect(quoteRefusal(say('task_of', { name: 'Ada' }), 'task_not_yours', '')).toMatch(
        /^Diese Aufgabe liegt bei Ada:/,
      )
      expect(quoteRefusal(null, 'batch_running', 'The batch still runs.')).toMatch(/^Diese Sammeländerung läuft noch\./)
      for (const code of ['refused_by_hook', 'toString'])
        expect(quoteRefusal(null, code, 'Only on weekdays.')).toBe('Only on weekdays.')
      expect(quote(sentenceOf('Nur werktags.'), form)).toBe('Nur werktags.')
      expect(quote({ code: 'of_a_later_version', params: {}, message: 'Too new.' }, form)).toBe('Too new.')
      expect(quote({ code: 'toString', params: {}, message: 'Too odd.' }, form)).toBe('Too odd.')
    })

    it('recognizes why a delivery failed, which is stored in English', () => {
      const host = 'mx.example.com'
      expect(quoteStored(say('mail_server_unknown', { host }).message)).toBe(
        'Der Name des Mailservers mx.example.com ist nicht bekannt.',
      )
      expect(quoteStored(`${say('mail_server_silent', { seconds: 30 }).message} It may have been sent.`)).toBe(
        'Der Mailserver hat 30 Sekunden lang nicht geantwortet.',
      )
      expect(quoteStored('The receiver answered 500.')).toBe('The receiver answered 500.')
    })

    it('knows what the validator of requests says', () => {
      const schema = z.strictObject({
        text: z.string().min(3).max(5),
        long: z.string().max(2),
        whole: z.int().min(1),
        great: z.number().max(3),
        choice: z.enum(['a', 'b']),
        list: z.array(z.string()).max(1),
        mail: z.email(),
        missing: z.string(),
      })
      const given = { text: 'a', long: 'abc', whole: 0, great: 9, choice: 'c', list: ['a', 'b'], mail: 'x', other: 1 }
      const said = Object.values(problemsOf(() => parseInput(schema, given)))
        .flat()
        .map(sentenceOf)
      expect(said).toHaveLength(9)
      expect(said.filter((one) => one.code === 'custom' || quote(one) === one.message)).toEqual([])
    })
  })

  it('has a German sentence for each code, with no value that the English one lacks', () => {
    expect(Object.keys(german.sentences).sort()).toEqual(Object.keys(sentences).sort())
    const valuesOf = (template: string) => [...template.matchAll(/\{(\w+)/g)].map(([, name]) => name)
    for (const [code, template] of Object.entries(german.sentences))
      expect([code, valuesOf(sentences[code as keyof typeof sentences])]).toEqual([
        code,
        expect.arrayContaining(valuesOf(template)),
      ])
  })

  it('has words for codes of the service only', () =>
    expect(Object.keys(german.byCode).filter((code) => !Object.hasOwn(kindOfCode, code))).toEqual([]))
})

function problemsOf(run: () => unknown): FieldErrors {
  try {
    run()
  } catch (fault) {
    if (fault instanceof Invalid) return fault.problems
  }
  throw new Error('nothing was refused')
}
