import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  title: 'Das hat nicht geklappt',
  retry: 'Erneut versuchen',
  unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  unexpected: 'Auf dieser Seite ist etwas Unerwartetes passiert. Laden Sie sie neu und versuchen Sie es erneut.',
  service: 'Der Dienst hat ein Problem. Nennen Sie Ihrer Administration diese Nummer: {{id}}',
}
