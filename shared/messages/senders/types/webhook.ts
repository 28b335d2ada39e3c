import { guardedRequests } from '../../../platform/net/guarded-request.ts'
import { webhookLimits, webhookSender } from '../http/webhook.ts'
import type { CreateSender } from '../sender-context.ts'

/** Sends webhooks to public addresses, and on one machine to that machine. */
export const createSender: CreateSender<'webhook'> = ({ clock, loopbackAllowed }) =>
  webhookSender({ clock, send: guardedRequests({ ...webhookLimits, allowLoopback: loopbackAllowed }) })
