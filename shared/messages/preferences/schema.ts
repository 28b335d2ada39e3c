import * as z from 'zod'
import { isTimeZone, nearestTimeZone } from '../../kernel/time/time-zone.ts'
import { categories, categoryNames } from './categories.ts'
import { digests } from './preferences-row.ts'

const destination = (description: string) => z.boolean().meta({ description })
const DestinationsAnswer = z.object({
  bell: destination('In the bell of the application. True unless it was changed.'),
  email: destination(
    'By mail to the address of the account. False unless it was changed; who has no right on the table of a request or a task of theirs gets mails of it until they choose.',
  ),
  messenger: destination('To the linked chat of the messenger. False unless it was changed.'),
})

const digest = z.enum(digests).meta({
  description:
    'How mails of notifications leave: each at once (`none`), or gathered at every full hour (`hourly`) or at 8:00 (`daily`), one mail with all that happened to each record.',
})
const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'A time of day has hours and minutes: 22:00.' })
const quiet = z
  .strictObject({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, {
    error: 'Quiet hours end at another time than they begin. Send null for none.',
  })
  .nullable()
  .meta({
    description:
      'Quiet hours, by your time zone, also over midnight. Mails and messages of the messenger that notify you wait until they end, and leave together; an approval that is due before does not wait. The bell rings as ever. Null: none.',
  })
const timeZone = z
  .string()
  .refine(isTimeZone, {
    error: ({ input }) => {
      const meant = nearestTimeZone(String(input))
      return `There is no time zone with this name.${meant === undefined ? ' Use a name such as Europe/Berlin.' : ` Did you mean ${meant}?`}`
    },
  })
  .nullable()
  .meta({
    description:
      'By whose clocks you read times and your quiet hours count: `Europe/Berlin`. Null: that of the company.',
  })

export const PreferencesAnswer = z.object({
  notifications: z.object({
    system: DestinationsAnswer.meta({ description: categories.system }),
    message: DestinationsAnswer.meta({ description: categories.message }),
    mention: DestinationsAnswer.meta({ description: categories.mention }),
    comment: DestinationsAnswer.meta({ description: categories.comment }),
    change: DestinationsAnswer.meta({ description: categories.change }),
    subscription: DestinationsAnswer.meta({ description: categories.subscription }),
  }),
  digest,
  quiet,
  time_zone: timeZone,
})
export type PreferencesAnswer = z.output<typeof PreferencesAnswer>

/** Categories are checked by `changePreferences`, which names the nearest one. */
export const PreferencesInput = z.strictObject({
  notifications: z
    .record(z.string(), DestinationsAnswer.partial().strict())
    .optional()
    .meta({ description: `By category: ${categoryNames.join(', ')}. What is left out stays as it is.` }),
  digest: digest.optional(),
  quiet: quiet.optional(),
  time_zone: timeZone.optional(),
})
export type PreferencesInput = z.output<typeof PreferencesInput>
