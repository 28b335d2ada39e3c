import * as z from 'zod'
import { categories, categoryNames } from './categories.ts'

const destination = (description: string) => z.boolean().meta({ description })
const DestinationsAnswer = z.object({
  bell: destination('In the bell of the application. True unless it was changed.'),
  email: destination(
    'By mail to the address of the account. False unless it was changed; who has no right on the table of a request or a task of theirs gets mails of it until they choose.',
  ),
  messenger: destination('To the linked chat of the messenger. False unless it was changed.'),
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
})
export type PreferencesAnswer = z.output<typeof PreferencesAnswer>

/** Categories are checked by `changePreferences`, which names the nearest one. */
export const PreferencesInput = z.strictObject({
  notifications: z
    .record(z.string(), DestinationsAnswer.partial().strict())
    .meta({ description: `By category: ${categoryNames.join(', ')}. What is left out stays as it is.` }),
})
export type PreferencesInput = z.output<typeof PreferencesInput>
