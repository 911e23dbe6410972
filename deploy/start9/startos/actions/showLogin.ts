import { settingsFile } from '../fileModels/settings';
import { sdk } from '../sdk';

/** Shows the login that wallets and the page ask for. */
export const showLogin = sdk.Action.withoutInput(
  'show-login',
  async () => ({
    name: 'Show the login',
    description: 'The name and password for wallets, programs and the page of the node',
    warning: null,
    allowedStatuses: 'any',
    group: null,
    visibility: 'enabled',
  }),
  async () => {
    const login = await settingsFile.read(({ login: given }) => given).once();
    const text = { type: 'single', copyable: true, qr: false } as const;
    return {
      version: '1',
      title: 'Login',
      message: null,
      result: {
        type: 'group',
        value: [
          { ...text, name: 'Name', description: null, masked: false, value: login?.username ?? '' },
          {
            ...text,
            name: 'Password',
            description: null,
            masked: true,
            value: login?.password ?? '',
          },
        ],
      },
    };
  },
);
