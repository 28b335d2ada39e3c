import Check from 'lucide-react/icons/check'
import Mail from 'lucide-react/icons/mail'
import MessageCircle from 'lucide-react/icons/message-circle'
import Webhook from 'lucide-react/icons/webhook'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReceivedMessage } from '../api/incoming.ts'
import { Moment } from '../parts/time.tsx'

const icons = { email: Mail, messenger: MessageCircle, api: Webhook } as const

interface MessageListProps {
  readonly messages: readonly ReceivedMessage[]
  readonly opened: number | undefined
  readonly onOpen: (id: number) => void
}

/** Who sent what, newest first. */
export function MessageList({ messages, opened, onOpen }: MessageListProps) {
  const { t } = useTranslation()
  const current = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Newer browsers answer a promise, which is no way to clean up.
    void current.current?.scrollIntoView({ block: 'nearest' })
  }, [opened])
  return (
    <ul className="plain-list incoming-entries">
      {messages.map((message) => {
        const Icon = icons[message.channel]
        const isOpened = message.id === opened
        return (
          <li key={message.id}>
            <button
              type="button"
              ref={isOpened ? current : undefined}
              className={isOpened ? 'incoming-entry is-active' : 'incoming-entry'}
              aria-current={isOpened || undefined}
              onClick={() => onOpen(message.id)}
            >
              <span className="incoming-entry-line">
                <Icon size={14} aria-label={t(`incoming.${message.channel}`)} />
                <b className="label-text">{senderOf(message) ?? t('record.somebody')}</b>
                <span className="quiet small push">
                  <Moment at={message.received_at} short />
                </span>
              </span>
              <span className="incoming-entry-line">
                <span className="label-text">{subjectOf(message)}</span>
                {message.errors.length > 0 && <span className="badge problem push">{t('incoming.failed')}</span>}
                {message.is_processed && <Check size={14} className="push" aria-label={t('incoming.done')} />}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Who sent a message, as far as it says. */
export const senderOf = ({ from_name: name, from_email: email, from_id: id }: ReceivedMessage): string | null =>
  name || email || id

/** What a message is about: its subject, or its first line. */
export const subjectOf = ({ subject, body }: ReceivedMessage): string =>
  subject || (body.trim().split('\n', 1)[0] ?? '').slice(0, 200) || '–'
