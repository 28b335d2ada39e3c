import { queryOptions } from '@tanstack/react-query'
import { createClient } from '../../shared/client/index.ts'
import { ApiError, reach, type Schemas } from './client.ts'

/*
 * What the links in mails lead to. Their secret is the permission: requests carry no session, so that whoever is signed in
 * in this browser makes no difference.
 */

const api = createClient({
  baseUrl: window.location.origin,
  fetch: (request) => reach(new Request(request, { credentials: 'omit', cache: 'no-store' })),
})

export type Invitation = Schemas['InvitationAnswer']

/** Whom an invitation is for, and where to. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['links', 'invitation', token],
    queryFn: async ({ signal }): Promise<Invitation> =>
      (await api.get('/api/join/{token}', { params: { path: { token } }, signal })).data,
    // It is used up by accepting it, on this page.
    staleTime: Infinity,
  })

/** What people who are no users see of a record. */
export const followedQuery = (token: string) =>
  queryOptions({
    queryKey: ['links', 'followed', token],
    queryFn: async ({ signal }) => (await api.get('/api/follow/{token}', { params: { path: { token } }, signal })).data,
  })

export type LinkedDecision = Schemas['GetMailedDecisionData']

/** What a button of a mail asks for. */
export const decisionQuery = (token: string) =>
  queryOptions({
    queryKey: ['links', 'decision', token],
    queryFn: async ({ signal }): Promise<LinkedDecision> =>
      (await api.get('/api/decide/{token}', { params: { path: { token } }, signal })).data,
    // Once it is decided, it is refused: the page says so itself.
    staleTime: Infinity,
  })

/** Decides as the person to whom the mail went. */
export const decideByMail = (token: string, body: Schemas['DecideByMailBody']): Promise<unknown> =>
  api.post('/api/decide/{token}', { params: { path: { token } }, body })

/** What the link at the foot of a mail ends. */
export const endingQuery = (token: string) =>
  queryOptions({
    queryKey: ['links', 'ending', token],
    queryFn: async ({ signal }) =>
      (await api.get('/api/unsubscribe/{token}', { params: { path: { token } }, signal })).data,
  })

/** Ends the notices that a mail was one of, or takes that back. */
export const endNotices = async (token: string, isEnded: boolean) =>
  (
    await (isEnded
      ? api.post('/api/unsubscribe/{token}', { params: { path: { token } } })
      : api.delete('/api/unsubscribe/{token}', { params: { path: { token } } }))
  ).data

/** Accepts an invitation. The page signs nobody in: the session that comes with the answer ends. */
export async function acceptInvitation(token: string, body: Schemas['JoinBody']): Promise<void> {
  const answer = await api.post('/api/join/{token}', { params: { path: { token } }, body })
  if ('token' in answer) await api.post('/api/logout', { headers: { authorization: `Bearer ${answer.token}` } })
}

/** Asks for a mail with a link by which a password is set anew. */
export const forgotPassword = (email: string): Promise<unknown> => api.post('/api/password/forgot', { body: { email } })

/** Sets a new password with the token of a mailed link. */
export const resetPassword = (body: Schemas['ResetPasswordBody']): Promise<unknown> =>
  api.post('/api/password/reset', { body })

/** Confirms an address with the token of a mailed link. */
export const verifyEmail = (token: string): Promise<unknown> => api.post('/api/email/verify', { body: { token } })

/** Whether an answer says that the token of the link cannot be used any more. */
export const isUsedUp = (error: unknown): boolean => error instanceof ApiError && error.errors['token'] !== undefined
