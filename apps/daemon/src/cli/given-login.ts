/** A login as given; without a password when only a name was given. */
export interface GivenLogin {
  readonly username: string;
  readonly password: string | undefined;
}
