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
}

export const getPreferences = defineRoute({
  method: 'GET',
  path: '/api/user/preferences',
  operationId: 'getPreferences',
  tag,
  summary: 'Read where you receive notifications',
  description: 'For each category: in the bell, by mail, by messenger. They are yours in this tenant only.',
  permission: signedIn,
  answer: PreferencesAnswer,
  example: { answer: { notifications: { ...chosen.notifications, message: byDefault } } },
})

export const changePreferences = defineRoute({
  method: 'PUT',
  path: '/api/user/preferences',
  operationId: 'updatePreferences',
  tag,
  summary: 'Choose where you receive notifications',
  description:
    'What is left out stays as it is, down to a single member. An unknown category is 422 and names the nearest one.',
  permission: signedIn,
  body: PreferencesInput,
  answer: PreferencesAnswer,
  example: { body: { notifications: { message: { email: true } } }, answer: chosen },
})

export const preferenceRoutes: readonly Route[] = [getPreferences, changePreferences]
