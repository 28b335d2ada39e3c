import { expect, it } from 'vitest'
import { readAmqpAddress } from '../../../../../../shared/messages/senders/amqp/amqp-address.ts'

const local = { protocol: 'amqp', host: 'broker', port: 5672, username: 'guest', password: 'guest', vhost: '/' }

it.each([
  ['amqp://broker', local],
  ['amqp://broker/', local],
  ['amqp://broker/%2f', local],
  ['amqp://broker?heartbeat=0', local],
  ['amqps://broker', { ...local, protocol: 'amqps', port: 5671 }],
  ['amqp://broker:5673/acme', { ...local, port: 5673, vhost: 'acme' }],
  ['amqp://u%73er:p%40ss%3A1@broker/a%2fb', { ...local, username: 'user', password: 'p@ss:1', vhost: 'a/b' }],
  ['amqp://user@broker', { ...local, username: 'user', password: '' }],
  ['amqp://[::1]:5672', { ...local, host: '[::1]' }],
])('%s is read', (text, address) => {
  expect(readAmqpAddress(text)).toEqual(address)
})

it.each(['', 'broker:5672', 'http://broker', 'amqp://', 'amqp:///vhost', 'amqp://us%er@broker', 'amqp://broker:70000'])(
  '%j is no address',
  (text) => {
    expect(readAmqpAddress(text)).toBeUndefined()
  },
)
