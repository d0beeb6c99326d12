/**
 * Settings of an account's owner as XML, and their effect on scripts of other origins. Pure: no
 * network, clock or threads; {@code client} stores the settings. Every defect of a document is the
 * same error, as in the service. Start with {@link
 * io.parterre.frontend.settings.ServicePropertiesXml}.
 */
package io.parterre.frontend.settings;
