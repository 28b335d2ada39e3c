import { PreferencesAnswer, PreferencesInput } from '../../../shared/messages/preferences/schema.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Notifications'
const byDefault = { bell: true, email: false, messenger: false }
const chosen = {
  notifications: {
    system: byDefault,
    message: { bell: true, email: true, messenger: false },
    mention: byDefault,
    comment: byDefault,
    change: byDefault,
    subscription: byDefault,
  },
  digest: 'hourly' as const,
  quiet: { from: '22:00', to: '07:00' },
  time_zone: 'Europe/Berlin',
}

export const getPreferences = defineRoute({
  method: 'GET',
  path: '/api/user/preferences',
  operationId: 'getPreferences',
  tag,
  summary: 'Read where you receive notifications',
  description:
    'For each category: in the bell, by mail, by messenger; and when mails and messages leave. They are yours in this tenant only.',
  permission: signedIn,
  answer: PreferencesAnswer,
  example: {
    answer: {
      notifications: { ...chosen.notifications, message: byDefault },
      digest: 'none',
      quiet: null,
      time_zone: null,
    },
  },
})

export const changePreferences = defineRoute({
  method: 'PUT',
  path: '/api/user/preferences',
  operationId: 'updatePreferences',
  tag,
  summary: 'Choose where and when you receive notifications',
  description:
    'What is left out stays as it is, down to a single member. What waits for a digest or the end of quiet hours leaves by the new choice. An unknown category is 422 and names the nearest one.',
  permission: signedIn,
  body: PreferencesInput,
  answer: PreferencesAnswer,
  example: {
    body: {
      notifications: { message: { email: true } },
      digest: 'hourly',
      quiet: { from: '22:00', to: '07:00' },
      time_zone: 'Europe/Berlin',
    },
    answer: chosen,
  },
})

export const preferenceRoutes: readonly Route[] = [getPreferences, changePreferences]
