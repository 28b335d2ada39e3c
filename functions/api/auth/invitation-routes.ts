import * as z from 'zod'
import {
  InvitationAnswer,
  InviteBody,
  IssuedInvitationAnswer,
  JoinBody,
  LoginAnswer,
  MfaChallengeAnswer,
  PendingInvitation,
} from '../../../shared/accounts/schema.ts'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'
import { ada, invitationToken, login, password, tenant } from './examples.ts'

const tag = 'Invitations'
const invitationParams = z.object({
  token: z.string().max(maxLinkTokenCharacters).meta({ description: 'The secret of the invitation.' }),
})

const permission = administrator
const params = z.object({ id: IdParam })

const hedy = { name: 'Hedy Lamarr', email: 'hedy@example.com' }
const head = { id: 1, email: hedy.email, roles: ['agent'] }
const issued = {
  ...head,
  token: invitationToken,
  url: `https://app.example.com/join/${invitationToken}`,
  expires_at: '2026-11-27T07:17:00.000Z',
}

export const inviteToTenant = defineRoute({
  method: 'POST',
  path: '/api/tenant/invite',
  operationId: 'inviteUser',
  tag,
  summary: 'Invite somebody',
  description:
    'The person gets the roles by accepting within 7 days. Hand over `url`. The invitation ends when you are disabled or cease to be an administrator. For an address that has an account already, the person joins with that account; 422 on `email` when it already belongs to an active user of the company. 429 after many invitations, or several to the address.',
  permission,
  alsoFails: [429],
  body: InviteBody,
  answer: IssuedInvitationAnswer,
  status: 201,
  example: { body: { email: hedy.email, roles: ['agent'] }, answer: issued },
})

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/api/tenant/invitations',
  operationId: 'listInvitations',
  tag,
  summary: 'List invitations',
  description: 'Those that were neither accepted nor revoked and have not expired, newest first.',
  permission,
  query: listQuery(PendingInvitation),
  answer: PendingInvitation,
  shape: 'page',
  example: {
    answer: [
      {
        ...head,
        invited_by: 'Administrator',
        created_at: '2026-11-20T07:17:00.000Z',
        expires_at: '2026-11-27T07:17:00.000Z',
      },
    ],
  },
})

export const resendInvitation = defineRoute({
  method: 'POST',
  path: '/api/tenant/invitations/{id}/resend',
  operationId: 'resendInvitation',
  tag,
  summary: 'Renew an invitation',
  description:
    'Answers a new link, valid for 7 days, in your name. Earlier links stay valid until they expire; whichever is used first ends the others. 429 after many invitations, or several to the address.',
  permission,
  alsoFails: [429],
  params,
  answer: IssuedInvitationAnswer,
  example: { params: { id: 1 }, answer: issued },
})

export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/tenant/invitations/{id}',
  operationId: 'deleteInvitation',
  tag,
  summary: 'Revoke an invitation',
  description: 'All its links end at once.',
  permission,
  params,
  ...noContent,
  example: { params: { id: 1 } },
})

export const readInvitation = defineRoute({
  method: 'GET',
  path: '/api/join/{token}',
  operationId: 'getInvitation',
  tag,
  summary: 'Read an invitation',
  description:
    'Answers what the invited person needs to know before accepting. 404 when the invitation is unknown, was accepted or revoked, or has expired, and when its inviter is no longer an administrator.',
  open: true,
  alsoFails: [429],
  params: invitationParams,
  answer: InvitationAnswer,
  example: {
    params: { token: invitationToken },
    answer: { email: hedy.email, roles: ['agent'], tenant, invited_by: 'Administrator', has_account: false },
  },
})

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/join/{token}',
  operationId: 'acceptInvitation',
  tag,
  summary: 'Accept an invitation',
  description:
    'Creates the account (`name`, `password`, `password_confirmation`) and signs it in. An address that already has an account (`has_account`) joins with it: send its current `password`, or `{}` with the token of a session of it as `Authorization`; name and password stay as they are. An invitation can be accepted once.',
  open: true,
  alsoFails: [401, 403, 429],
  params: invitationParams,
  body: JoinBody,
  answer: z.union([LoginAnswer, MfaChallengeAnswer]),
  shape: 'login',
  status: 201,
  example: {
    params: { token: invitationToken },
    body: { name: hedy.name, password, password_confirmation: password },
    answer: { ...login, user: { ...ada, ...hedy, id: 3 } },
  },
})

export const invitationRoutes: readonly Route[] = [
  inviteToTenant,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  readInvitation,
  acceptInvitation,
]
