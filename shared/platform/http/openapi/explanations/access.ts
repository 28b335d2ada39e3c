import type { Explanations } from './explanation.ts'

/** Failures that are about who is asking, and what they may do. */
export const accessFailures = {
  unauthenticated: {
    meaning: 'The token is missing, unknown, expired or revoked.',
    remedy: 'Sign in and send the new token as `Authorization: Bearer <token>`.',
  },
  sign_in_refused: {
    meaning: 'The identity provider, its token or the account did not pass a check. The answer never says which.',
    remedy: 'Sign in at the provider again. If that fails too, an administrator finds the reason in the log.',
  },
  wrong_code: {
    meaning: 'The code of the second factor is wrong or was used before.',
    remedy: 'Wait for the next code of your app and send it. After five wrong codes, start again with your password.',
  },
  wrong_credentials: {
    meaning: 'The e-mail address or the password is wrong, or the account is disabled.',
    remedy: 'Check both. If the password is lost, an administrator can set a new one.',
  },

  forbidden: {
    meaning: 'You lack the permission that this endpoint requires.',
    remedy: 'Ask an administrator for a role with the permission; the reference names it at each endpoint.',
  },
  comment_not_yours: {
    meaning: 'Only its author may edit a comment; only its author and administrators may delete it.',
    remedy: 'Write a comment of your own.',
  },
  email_unverified: {
    meaning:
      'You registered this company, and have not confirmed yet that you receive mail at your address. Where the service can send mail, a company works from then on.',
    remedy: 'Open the link that was mailed to you, or ask for another with `POST /api/email/verify/resend`.',
  },
  four_eyes: {
    meaning: 'You, or somebody whom you would act for, have completed the task that `wf:fourEyes` of this one names.',
    remedy: 'Somebody else has to do it: give it back, or reassign it.',
  },
  mfa_setup_required: {
    meaning: 'A role of yours demands a second factor, and you have none.',
    remedy: 'Set one up with `POST /api/user/mfa` and confirm it with `POST /api/user/mfa/confirm`.',
  },
  impersonation_refused: {
    meaning:
      'You may not act as this user: an administrator, yourself, a disabled user, a service user, or nobody of your company.',
    remedy: 'Choose an active user without the role `admin`.',
  },
  person_required: {
    meaning:
      'Only the person may do this: not an administrator acting as the person, not an API key, and across companies not a session that the identity provider of one company vouches for.',
    remedy: 'Sign in as the person and send the token of that login.',
  },
  record_forbidden: {
    meaning: 'You may see the record, but the rules of your roles do not allow this action on it.',
    remedy: 'Ask an administrator to change the rules of your roles.',
  },
  registration_closed: {
    meaning: 'Registration is closed in this deployment.',
    remedy: 'Ask an administrator for an invitation.',
  },
  task_not_yours: {
    meaning: 'The task is not offered to you, or is assigned to another user.',
    remedy: 'List your own tasks with `GET /api/sys/process-tasks`.',
  },
  tenant_deleted: {
    meaning: 'The tenant was deleted. Its data is removed at `data.delete_at`.',
    remedy: 'Until then an administrator can sign in and restore it with `POST /api/tenant/restore`.',
  },
} as const satisfies Explanations
