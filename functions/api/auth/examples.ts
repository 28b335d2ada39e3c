export const tenant = { slug: 'demo', name: 'Demo' }
export const ada = { id: 2, name: 'Ada Lovelace', email: 'ada@example.com', roles: ['agent'] }
export const password = 'brass gears 1843'
export const login = { token: '8471123004|3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs', user: ada, tenant }
export const invitationToken = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA'
