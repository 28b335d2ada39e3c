import * as z from 'zod'
import { PageQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  onTable,
  signedIn,
  type Route,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'

/** One route of each kind, for tests of everything that is derived from routes. */
const Person = z.object({
  id: z.int().meta({ description: 'Numeric id.' }),
  name: z.string(),
  email: z.email(),
  joined_at: z.iso.datetime().nullable(),
})
const Login = z
  .object({ token: z.string(), user: Person, tenant: z.object({ slug: z.string() }) })
  .meta({ id: 'LoginResult' })
const Note = z
  .object({ id: z.int(), version: z.int(), data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Note', description: 'A note.' })
const Node = z.object({
  name: z.string(),
  get children() {
    return z.array(Node)
  },
})
const oneNote = z.object({ model: z.string().meta({ description: 'Name of the table.' }), id: IdParam })
const note = { id: 42, version: 1, data: { title: "It's on fire" } }
const person = { id: 1, name: 'Ada', email: 'ada@example.com', joined_at: null }
const login = { token: '1|secret', user: person, tenant: { slug: 'demo' } }

export const logIn = defineRoute({
  method: 'POST',
  path: '/api/login-local',
  open: true,
  tag: 'Accounts',
  summary: 'Log in',
  body: z.strictObject({
    email: z.string().trim().toLowerCase().pipe(z.email()),
    password: z.string().min(8).max(128),
  }),
  answer: Login,
  shape: 'login',
  example: { body: { email: 'ada@example.com', password: 'correct horse' }, answer: login },
})

export const listNotes = defineRoute({
  method: 'GET',
  path: '/api/e/{model}',
  tag: 'Records',
  summary: 'List records',
  permission: onTable('read'),
  params: oneNote.pick({ model: true }),
  query: PageQuery.extend({
    sort: z.string().optional().meta({ description: 'Names, with `-` before what falls.' }),
    from: z.string(),
  }),
  answer: Note,
  shape: 'page',
  example: { params: { model: 'notes' }, query: { sort: '-id', from: 'today' }, answer: note },
})

export const createNote = defineRoute({
  method: 'POST',
  path: '/api/e/{model}',
  tag: 'Records',
  summary: 'Create a record',
  permission: onTable('create'),
  params: oneNote.pick({ model: true }),
  body: z.record(z.string(), z.unknown()),
  answer: Note,
  status: 201,
  example: { params: { model: 'notes' }, body: { title: "It's on fire" }, answer: note },
})

export const getNote = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}',
  tag: 'Records',
  summary: 'Read a record',
  permission: onTable('read'),
  params: oneNote,
  answer: Note,
  example: { params: { model: 'notes', id: 42 }, answer: note },
})

export const changeNote = defineRoute({
  method: 'PATCH',
  path: '/api/e/{model}/{id}',
  tag: 'Records',
  summary: 'Change a record',
  description: 'Send what changes.',
  permission: onTable('update'),
  params: oneNote,
  body: z.strictObject({ title: z.string().min(1).max(20), tree: Node.optional() }),
  answer: Note,
  example: { params: { model: 'notes', id: 42 }, body: { title: 'Out' }, answer: note },
})

export const removeNote = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}',
  tag: 'Records',
  summary: 'Delete a record',
  permission: onTable('delete'),
  params: oneNote,
  answer: z.undefined(),
  status: 204,
  example: { params: { model: 'notes', id: 42 } },
})

export const listPeople = defineRoute({
  method: 'GET',
  path: '/api/sys/users',
  tag: 'Users',
  summary: 'List users',
  permission: administrator,
  query: PageQuery,
  answer: Person,
  shape: 'page',
  example: { answer: [person] },
})

export const logOut = defineRoute({
  method: 'POST',
  path: '/api/logout',
  tag: 'Accounts',
  summary: 'Log out',
  permission: signedIn,
  answer: z.undefined(),
})

export const readPage = defineRoute({
  method: 'GET',
  path: '/api/docs',
  open: true,
  tag: 'Reference',
  summary: 'Read the page',
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/html; charset=utf-8',
})

export const sampleRoutes: readonly Route[] = [
  logIn,
  logOut,
  listPeople,
  listNotes,
  createNote,
  getNote,
  changeNote,
  removeNote,
  readPage,
]
