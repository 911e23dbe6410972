import { sdk } from '../sdk';
import { options } from './options';
import { showLogin } from './showLogin';

export const actions = sdk.Actions.of().addAction(options).addAction(showLogin);
