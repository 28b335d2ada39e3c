/** What notifications are about; people choose for each where they want to receive it. */
export const categories = {
  system: 'What the service did or could not do, such as a channel that was paused; and notifications of scripts.',
  message: 'Messages that scripts and processes send to people.',
  mention: 'Comments that mention you.',
  comment: 'Comments on records that you watch.',
  change: 'Changes of the state or the people of records that you watch, and their delete.',
  subscription: 'Records that changed, which an administrator subscribed people to.',
} as const

export type Category = keyof typeof categories
export const categoryNames = Object.keys(categories) as readonly Category[]

/** Where a notification of a category is sent. */
export interface Destinations {
  readonly bell: boolean
  readonly email: boolean
  readonly messenger: boolean
}
export const defaultDestinations: Destinations = { bell: true, email: false, messenger: false }
