import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { kindOfCode } from '../../../shared/kernel/failures/failure-codes.ts'
import { parseInput } from '../../../shared/platform/http/routing/input/parse-input.ts'
import { quote, quoteIn } from '../../../web/words/service-words.ts'
import { byCode, sentences } from '../../../web/words/service/de.ts'

describe('what the service says', () => {
  it('stays as it is in English', async () => {
    await quoteIn('en')
    expect(quote('The title field is required.', 'validation_failed')).toBe('The title field is required.')
  })

  describe('in German', () => {
    beforeAll(() => quoteIn('de'))
    afterAll(() => quoteIn('en'))

    it.each([
      [
        'Too many attempts. Try again in 30 seconds.',
        'Zu viele Versuche. Versuchen Sie es in 30 Sekunden noch einmal.',
      ],
      ['The title field is required.', 'title fehlt noch.'],
      ['The title may not be greater than 200 characters.', 'title darf höchstens 200 Zeichen haben.'],
      ['The email must be a valid email address.', 'email muss eine gültige E-Mail-Adresse sein.'],
      ['The done field must be true or false.', 'done muss wahr oder falsch sein.'],
      ['The current_password is incorrect.', 'Das bisherige Passwort ist falsch.'],
      ['The due must be a date after or equal to 2026-11-01.', 'due darf nicht vor dem 2026-11-01 liegen.'],
      ['The to must be after 2030-05-06T00:00:00.000Z.', 'Das Ende muss nach dem Beginn liegen.'],
      ['The state field is unknown. Did you mean status?', 'Ein Feld state gibt es nicht.'],
      [
        'The mail server mx.example could not be reached: ECONNREFUSED.',
        'Der Mailserver mx.example ist nicht erreichbar.',
      ],
      ['The selected priority is invalid: it must be one of low, high.', 'priority: Wählen Sie eines von low, high.'],
    ])('is %s', (said, german) => expect(quote(said)).toBe(german))

    it('is the sentence of its code, and as it is where neither is known', () => {
      expect(quote('The task has been taken by Ada.', 'task_taken')).toBe(
        'Diese Aufgabe hat schon jemand anderes übernommen.',
      )
      expect(quote('Only on weekdays.', 'refused_by_hook')).toBe('Only on weekdays.')
      expect(quote('Only on weekdays.', 'toString')).toBe('Only on weekdays.')
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
      const errors = faultsOf(() => parseInput(schema, given))
      expect(Object.keys(errors)).toHaveLength(9)
      expect(
        Object.values(errors)
          .flat()
          .filter((message) => quote(message) === message),
      ).toEqual([])
    })
  })

  it('has words for codes of the service only, and none of its sentences hides another', () => {
    expect(Object.keys(byCode).filter((code) => !Object.hasOwn(kindOfCode, code))).toEqual([])
    expect(new Set(sentences.map(([said]) => String(said))).size).toBe(sentences.length)
  })
})

function faultsOf(run: () => unknown): Readonly<Record<string, readonly string[]>> {
  try {
    run()
  } catch (fault) {
    return (fault as { errors: Record<string, string[]> }).errors
  }
  throw new Error('nothing was refused')
}
