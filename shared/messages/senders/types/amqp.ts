import { amqpSender } from '../amqp/amqp.ts'
import type { CreateSender } from '../sender-context.ts'

/** Publishes to brokers at public addresses, and on one machine to that machine. */
export const createSender: CreateSender<'amqp'> = ({ clock, loopbackAllowed }) => amqpSender({ clock, loopbackAllowed })
