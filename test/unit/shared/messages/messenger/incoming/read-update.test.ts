import { describe, expect, it } from 'vitest'
import { readUpdate } from '../../../../../../shared/messages/messenger/incoming/read-update.ts'

const ada = { id: 501, is_bot: false, first_name: 'Ada', last_name: 'Lovelace', username: 'ada' }
const direct = { id: 501, type: 'private', first_name: 'Ada', last_name: 'Lovelace', username: 'ada' }
const group = { id: -1_001_234_567_890, type: 'supergroup', title: 'Support', is_forum: true }
const channel = { id: -100_999, type: 'channel', title: 'News' }
const message = (more: object, chat: object = direct) => ({ message_id: 7, date: 1, from: ada, chat, ...more })
const photo = [
  { file_id: 'a', file_unique_id: 'ua', width: 90, height: 90, file_size: 900 },
  { file_id: 'b', file_unique_id: 'ub', width: 900, height: 900, file_size: 90_000 },
]
const file = { file_id: 'f', file_unique_id: 'uf' }

/** What an update is read as: its kind, its content, then chat, sender and body. */
const updates: readonly (readonly [string, string, object, string | undefined, string | undefined, string])[] = [
  ['a text', 'message', message({ text: 'Hello' }), '501', 'Ada Lovelace', 'Hello'],
  ['a text in a group', 'message', message({ text: 'Hi' }, group), '-1001234567890', 'Ada Lovelace', 'Hi'],
  [
    'a text in a topic of a forum',
    'message',
    message({ text: 'Hi', message_thread_id: 12, is_topic_message: true }, group),
    '-1001234567890',
    'Ada Lovelace',
    'Hi',
  ],
  [
    'a text of an anonymous administrator',
    'message',
    message({ text: 'Hi', from: { id: 1_087_968_824, first_name: 'Group' }, sender_chat: group }, group),
    '-1001234567890',
    'Support',
    'Hi',
  ],
  [
    'a post of the channel that a group discusses',
    'message',
    message({ text: 'Hi', from: { id: 777_000, first_name: 'Telegram' }, sender_chat: channel }, group),
    '-1001234567890',
    'News',
    'Hi',
  ],
  ['an edited text', 'edited_message', message({ text: 'Hello!', edit_date: 2 }), '501', 'Ada Lovelace', 'Hello!'],
  ['a channel post', 'channel_post', { message_id: 1, chat: channel, text: 'News' }, '-100999', 'News', 'News'],
  [
    'a signed channel post',
    'channel_post',
    { message_id: 1, chat: channel, sender_chat: channel, author_signature: 'Ada', text: 'x' },
    '-100999',
    'News',
    'x',
  ],
  [
    'an edited channel post',
    'edited_channel_post',
    { message_id: 1, chat: channel, text: 'y' },
    '-100999',
    'News',
    'y',
  ],
  ['a photo', 'message', message({ photo }), '501', 'Ada Lovelace', ''],
  ['a photo with a caption', 'message', message({ photo, caption: 'Broken' }), '501', 'Ada Lovelace', 'Broken'],
  ['a document', 'message', message({ document: { ...file, file_name: 'a.pdf' } }), '501', 'Ada Lovelace', ''],
  ['a voice message', 'message', message({ voice: { ...file, duration: 3 } }), '501', 'Ada Lovelace', ''],
  ['a video', 'message', message({ video: file, caption: 'Look' }), '501', 'Ada Lovelace', 'Look'],
  ['a round video', 'message', message({ video_note: file }), '501', 'Ada Lovelace', ''],
  ['music', 'message', message({ audio: { ...file, title: 'Song' } }), '501', 'Ada Lovelace', ''],
  ['an animation', 'message', message({ animation: file, document: file }), '501', 'Ada Lovelace', ''],
  ['a sticker', 'message', message({ sticker: { ...file, emoji: '👍' } }), '501', 'Ada Lovelace', ''],
  ['a contact', 'message', message({ contact: { phone_number: '1', first_name: 'Bob' } }), '501', 'Ada Lovelace', ''],
  ['a location', 'message', message({ location: { latitude: 48.2, longitude: 16.4 } }), '501', 'Ada Lovelace', ''],
  [
    'a live location',
    'edited_message',
    message({ location: { latitude: 1, longitude: 2 } }),
    '501',
    'Ada Lovelace',
    '',
  ],
  ['a venue', 'message', message({ venue: { title: 'Office', address: 'x' } }), '501', 'Ada Lovelace', ''],
  ['a poll in a chat', 'message', message({ poll: { id: '1', question: 'Lunch?' } }), '501', 'Ada Lovelace', ''],
  ['a dice', 'message', message({ dice: { emoji: '🎲', value: 4 } }), '501', 'Ada Lovelace', ''],
  ['a game', 'message', message({ game: { title: 'Chess' } }), '501', 'Ada Lovelace', ''],
  ['a payment', 'message', message({ successful_payment: { total_amount: 1 } }), '501', 'Ada Lovelace', ''],
  ['a new member', 'message', message({ new_chat_members: [ada] }, group), '-1001234567890', 'Ada Lovelace', ''],
  ['a member who left', 'message', message({ left_chat_member: ada }, group), '-1001234567890', 'Ada Lovelace', ''],
  ['a new title', 'message', message({ new_chat_title: 'x' }, group), '-1001234567890', 'Ada Lovelace', ''],
  ['a pinned message', 'message', message({ pinned_message: message({ text: 'x' }) }), '501', 'Ada Lovelace', ''],
  [
    'a group that moves',
    'message',
    message({ migrate_to_chat_id: -100_1 }, { id: -5, title: 'Old' }),
    '-5',
    'Ada Lovelace',
    '',
  ],
  [
    'a reply',
    'message',
    message({ text: 'Yes', reply_to_message: message({ text: 'No' }) }),
    '501',
    'Ada Lovelace',
    'Yes',
  ],
  ['a forwarded text', 'message', message({ text: 'x', forward_origin: { type: 'user' } }), '501', 'Ada Lovelace', 'x'],
  [
    'a button',
    'callback_query',
    { id: '9', from: ada, message: message({}, group), data: 'ok:4' },
    '-1001234567890',
    'Ada Lovelace',
    'ok:4',
  ],
  [
    'a button of an inline message',
    'callback_query',
    { id: '9', from: ada, inline_message_id: 'x', data: 'y' },
    '501',
    'Ada Lovelace',
    'y',
  ],
  ['a button of a game', 'callback_query', { id: '9', from: ada, game_short_name: 'chess' }, '501', 'Ada Lovelace', ''],
  [
    'a message of a business account',
    'business_message',
    message({ text: 'Hi', business_connection_id: 'b' }),
    '501',
    'Ada Lovelace',
    'Hi',
  ],
  ['an edited one', 'edited_business_message', message({ text: 'Hi!' }), '501', 'Ada Lovelace', 'Hi!'],
  [
    'a business connection',
    'business_connection',
    { id: 'b', user: ada, user_chat_id: 501 },
    '501',
    'Ada Lovelace',
    '',
  ],
  [
    'deleted business messages',
    'deleted_business_messages',
    { chat: direct, message_ids: [1] },
    '501',
    'Ada Lovelace',
    '',
  ],
  [
    'a reaction',
    'message_reaction',
    { chat: group, user: ada, new_reaction: [] },
    '-1001234567890',
    'Ada Lovelace',
    '',
  ],
  ['an anonymous reaction', 'message_reaction', { chat: group, actor_chat: group }, '-1001234567890', 'Support', ''],
  ['an inline query', 'inline_query', { id: '1', from: ada, query: 'x' }, '501', 'Ada Lovelace', ''],
  ['a poll', 'poll', { id: '1', question: 'Lunch?' }, undefined, undefined, ''],
  ['a vote', 'poll_answer', { poll_id: '1', user: ada, option_ids: [0] }, '501', 'Ada Lovelace', ''],
  ['a vote of a channel', 'poll_answer', { poll_id: '1', voter_chat: channel }, '-100999', 'News', ''],
  [
    'a bot that is blocked',
    'my_chat_member',
    { chat: direct, from: ada, new_chat_member: { status: 'kicked' } },
    '501',
    'Ada Lovelace',
    '',
  ],
  [
    'a request to join',
    'chat_join_request',
    { chat: group, from: ada, bio: 'x' },
    '-1001234567890',
    'Ada Lovelace',
    '',
  ],
  ['a boost', 'chat_boost', { chat: channel, boost: {} }, '-100999', 'News', ''],
  ['a kind of next year', 'hologram', { chat: direct, from: ada, text: 'x' }, '501', 'Ada Lovelace', ''],
]

describe('an update', () => {
  it.each(updates)('with %s is read', (_what, kind, content, chatId, fromName, body) => {
    expect(readUpdate({ update_id: 4, [kind]: content })).toEqual({ id: 4, kind, content, chatId, fromName, body })
  })

  it.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['no content', { update_id: 4 }],
    ['a text for content', { update_id: '4', message: 'Hi' }],
    ['a list for content', { message: [{ text: 'x' }] }],
    ['numbers for texts', { message: { text: 4, chat: { id: 1.5 }, from: { first_name: {} } } }],
    ['inherited names', { message: Object.create({ chat: { id: 1 } }) }],
    ['an id that is no number', { update_id: -1, message: { chat: { id: 'x'.repeat(30) } } }],
  ])('with %s is read as one of which nothing is known', (_what, update) => {
    expect(readUpdate(update)).toMatchObject({ chatId: undefined, fromName: undefined, body: '' })
  })

  it.each([
    ['without a name', { username: 'ada' }, '@ada'],
    ['with a first name only', { first_name: 'Ada' }, 'Ada'],
    ['with line breaks', { first_name: 'Ada\r\nBcc: x', last_name: '\u0000' }, 'Ada Bcc: x'],
    ['with an endless name', { first_name: 'x'.repeat(1000) }, 'x'.repeat(200)],
    ['with half a character', { first_name: 'A\ud800' }, 'A\ufffd'],
  ])('of somebody %s names them', (_what, from, name) => {
    expect(readUpdate({ message: { from } }).fromName).toBe(name)
  })
})
