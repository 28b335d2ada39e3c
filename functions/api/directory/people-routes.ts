import { PeopleFilter, PickedPerson } from '../../../shared/accounts/schema.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'

export const pickPeople = defineRoute({
  method: 'GET',
  path: '/api/users',
  operationId: 'listPeople',
  tag: 'Users',
  summary: 'Find people',
  description:
    'The active people of your company by name, for pickers: everybody who is signed in may ask. Disabled users and API keys are left out.',
  permission: signedIn,
  query: PeopleFilter,
  answer: PickedPerson,
  shape: 'page',
  example: {
    query: { search: 'ada', role: 'agent' },
    answer: [{ id: 3, name: 'Ada Lovelace', email: 'ada@example.com' }],
  },
})

export const peopleRoutes: readonly Route[] = [pickPeople]
