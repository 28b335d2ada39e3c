export const failures = {
  title: 'That did not work',
  retry: 'Try again',
  unreachable: 'The service was not reached. Check your connection and try again.',
  unexpected: 'Something unexpected happened in this page. Reload it and try again.',
  service: 'The service has a problem. Tell your administrator this number: {{id}}',
} as const
