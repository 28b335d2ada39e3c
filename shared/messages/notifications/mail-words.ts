/** The words of mails that notify people. */
export const mailWords = {
  en: {
    open: 'Open',
    why: 'You get this mail because you asked for notifications by mail.',
    yours: 'You get this mail because it is about a request or a task of yours.',
    asksAgain: 'The buttons open a page that asks once more, and work for {{decide.0.days}} days.',
    stop: 'No more mails about this',
    stopKind: 'No more mails of subscriptions',
    several: '{{count}} notifications',
    further: 'And {{further}} more, in the app.',
    gathered: 'You get this mail because your notifications are sent together or outside of your quiet hours.',
  },
  de: {
    open: 'Öffnen',
    why: 'Sie erhalten diese Mail, weil Sie Benachrichtigungen per Mail gewünscht haben.',
    yours: 'Sie erhalten diese Mail, weil es um eine Anfrage oder Aufgabe von Ihnen geht.',
    asksAgain: 'Die Knöpfe öffnen eine Seite, die noch einmal nachfragt, und gelten {{decide.0.days}} Tage.',
    stop: 'Keine Mails mehr hierzu',
    stopKind: 'Keine Mails aus Abonnements mehr',
    several: '{{count}} Benachrichtigungen',
    further: 'Und {{further}} weitere, in der App.',
    gathered:
      'Sie erhalten diese Mail, weil Ihre Benachrichtigungen gesammelt oder außerhalb Ihrer Ruhezeit gesendet werden.',
  },
} as const

export type MailWords = Readonly<Record<keyof (typeof mailWords)['en'], string>>

const buttonStyle =
  'display: inline-block; margin: 0 8px 8px 0; padding: 8px 18px; border: 1px solid #888; border-radius: 4px; text-decoration: none; font-weight: bold'

/** A button for each outcome of the nth task of a mail; `renderContent` gives their addresses. */
export const buttonsFor = (count: number, { asksAgain }: Pick<MailWords, 'asksAgain'>, nth = 0): string =>
  [
    `<p>${Array.from({ length: count }, (_, at) => `<a href="{{decide.${nth}.outcomes.${at}.url}}" style="${buttonStyle}">{{decide.${nth}.outcomes.${at}.label}}</a>`).join(' ')}</p>`,
    `<p style="color: #666; font-size: 0.85em">${asksAgain}</p>`,
  ].join('\n')

/** The link that ends notices, as the foot of a mail. */
export const stopFor = (about: 'record' | 'kind', { stop, stopKind }: Pick<MailWords, 'stop' | 'stopKind'>): string =>
  `<p style="font-size: 0.85em"><a style="color: #666" href="{{stop.0.url}}">${about === 'record' ? stop : stopKind}</a></p>`
