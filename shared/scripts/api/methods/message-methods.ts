import { publish } from './messages/publish.ts'
import { replyMessenger } from './messages/reply-messenger.ts'
import { sendEmail } from './messages/send-email.ts'
import { sendMessenger } from './messages/send-messenger.ts'
import { sendPushNotification } from './messages/send-push-notification.ts'
import { sendSms } from './messages/send-sms.ts'
import { sendToChannel } from './messages/send-to-channel.ts'
import { sendWebhook } from './messages/send-webhook.ts'

/** The methods that send something, in the order in which editors list them. */
export const messageMethods = [
  sendPushNotification,
  sendMessenger,
  replyMessenger,
  sendEmail,
  sendSms,
  sendWebhook,
  publish,
  sendToChannel,
] as const
