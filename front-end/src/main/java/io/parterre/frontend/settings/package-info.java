/**
 * What an account's owner can set, as XML, and what follows from it for scripts of other origins.
 * Pure: no network, clock or threads; storing settings is the business of {@code client}. Whatever
 * is wrong with a document is one error, as in the service. Start with {@link
 * io.parterre.frontend.settings.ServicePropertiesXml}.
 */
package io.parterre.frontend.settings;
