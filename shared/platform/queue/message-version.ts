import * as z from 'zod'

/**
 * The version of a message's format: during a deployment, functions of the version before and after meet in
 * a queue. A reader takes its own version and the next one, and ignores keys that it does not know. So version n + 1 only
 * adds keys that a reader of n may ignore; what does not fit that takes two deployments: first the readers, then the
 * senders (docs/decisions/0066).
 */
export const MessageVersion = z.literal([1, 2])
