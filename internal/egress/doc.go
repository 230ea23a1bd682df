// Package egress does the http requests of untrusted code under the rules of a deployment.
//
// What is asked for is first brought to one plain form, then matched, and that form is what is
// sent: there is no second reading of a URL. The host's name is resolved once for a connection;
// every address is checked, and one of these is dialled. Each redirect goes through all of it
// again. There is no proxy, cookie or credential of the environment, and neither clients nor rules
// share connections. The protocol is HTTP/1.1, bare or over TLS 1.2 and later.
//
// What a rule's headers hold is sent to requests that the rule itself matched and is never told
// to the module. A server that echoes what it was sent tells the module all the same: a rule with
// a secret says that its server is trusted with it.
package egress
