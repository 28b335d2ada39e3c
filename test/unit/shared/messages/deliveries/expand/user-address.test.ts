import { expect, it } from 'vitest'
import { channelTypeOf, channelTypes } from '../../../../../../shared/messages/channels/channel-types.ts'
import { addressOfUser } from '../../../../../../shared/messages/deliveries/expand/recipient.ts'

const ada = { isActive: true, email: 'ada@acme.example', messengerChat: '77', locale: 'de' }

it('is the mail address for a mail and the chat for a message of a bot', () => {
  expect(addressOfUser(ada, 3, 'email')).toEqual({ address: 'ada@acme.example', locale: 'de' })
  expect(addressOfUser(ada, 3, 'messenger')).toEqual({ address: '77', locale: 'de' })
})

it('is nothing for an SMS: a mail address is no phone number', () => {
  expect(addressOfUser(ada, 3, 'sms')).toEqual({
    problem: 'Users have no address for messages of the type sms: name the address instead of the user.',
  })
})

it.each(channelTypes)('answers an address of the user only where the type %s declares one', (type) => {
  const { content, userAddress } = channelTypeOf(type)
  const { address } = addressOfUser(ada, 3, type)
  const declared = { 'mail address': ada.email, chat: ada.messengerChat }
  expect(address).toBe(content === 'json' ? 'user:3' : userAddress && declared[userAddress])
})

it('says why a user cannot be reached', () => {
  const without = { ...ada, email: null, messengerChat: null }
  expect(addressOfUser(without, 3, 'email').problem).toBe('The user 3 has no mail address.')
  expect(addressOfUser(without, 3, 'messenger').problem).toBe('The user 3 has linked no chat of the messenger.')
  expect(addressOfUser({ ...ada, isActive: false }, 3, 'email').problem).toBe('There is no active user 3.')
  expect(addressOfUser(undefined, 3, 'sms').problem).toBe('There is no active user 3.')
})
