package io.parterre.error;

import java.util.Arrays;
import java.util.Optional;

/**
 * The one catalogue of errors that clients see: wire name, HTTP status, blame and default text.
 * Source: docs/protocol.md 10.4; misspellings in texts are the service's.
 */
public enum ErrorCode {
    ACCOUNT_IS_DISABLED(
            "AccountIsDisabled", 403, Blame.CALLER, "The specified account is disabled."),
    ATOM_FORMAT_NOT_SUPPORTED(
            "AtomFormatNotSupported", 415, Blame.CALLER, "Atom format is not supported."),
    AUTHENTICATION_FAILED(
            "AuthenticationFailed",
            403,
            Blame.CALLER,
            "Server failed to authenticate the request. Make sure the value of "
                    + "Authorization header is formed correctly including the signature."),
    AUTHORIZATION_FAILURE(
            "AuthorizationFailure",
            403,
            Blame.CALLER,
            "This request is not authorized to perform this operation."),
    AUTHORIZATION_PERMISSION_MISMATCH(
            "AuthorizationPermissionMismatch",
            403,
            Blame.CALLER,
            "This request is not authorized to perform this operation using this permission."),
    AUTHORIZATION_PROTOCOL_MISMATCH(
            "AuthorizationProtocolMismatch",
            403,
            Blame.CALLER,
            "This request is not authorized to perform this operation using this protocol."),
    AUTHORIZATION_RESOURCE_TYPE_MISMATCH(
            "AuthorizationResourceTypeMismatch",
            403,
            Blame.CALLER,
            "This request is not authorized to perform this operation using this resource "
                    + "type."),
    AUTHORIZATION_SERVICE_MISMATCH(
            "AuthorizationServiceMismatch",
            403,
            Blame.CALLER,
            "This request is not authorized to perform this operation using this service."),
    AUTHORIZATION_SOURCE_IP_MISMATCH(
            "AuthorizationSourceIPMismatch",
            403,
            Blame.CALLER,
            "This request is not authorized to perform this operation using this source IP."),
    COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS(
            "CommandsInBatchActOnDifferentPartitions",
            400,
            Blame.CALLER,
            "All commands in a batch must operate on same entity group."),
    CONDITION_NOT_MET(
            "ConditionNotMet",
            412,
            Blame.CALLER,
            "The condition specified using HTTP conditional header(s) is not met."),
    CORS_PREFLIGHT_FAILURE(
            "CorsPreflightFailure",
            403,
            Blame.CALLER,
            "CORS not enabled or no matching rule found for this request."),
    DUPLICATE_PROPERTIES_SPECIFIED(
            "DuplicatePropertiesSpecified",
            400,
            Blame.CALLER,
            "A property is specified more than one time."),
    ENTITY_ALREADY_EXISTS(
            "EntityAlreadyExists", 409, Blame.CALLER, "The specified entity already exists."),
    ENTITY_TOO_LARGE(
            "EntityTooLarge",
            400,
            Blame.CALLER,
            "The entity is larger than the maximum allowed size (1MB)."),
    HOST_INFORMATION_NOT_PRESENT(
            "HostInformationNotPresent",
            400,
            Blame.CALLER,
            "The required host information is not present in the request. You must "
                    + "send a non-empty Host header or include the absolute URI in the "
                    + "request line."),
    INSUFFICIENT_ACCOUNT_PERMISSIONS(
            "InsufficientAccountPermissions",
            403,
            Blame.CALLER,
            "Write operations are not allowed."),
    INTERNAL_ERROR(
            "InternalError",
            500,
            Blame.FAULT,
            "The server encountered an internal error. Please retry the request."),
    INVALID_AUTHENTICATION_INFO(
            "InvalidAuthenticationInfo",
            400,
            Blame.CALLER,
            "Authentication information is not given in the correct format. Check "
                    + "the value of Authorization header."),
    INVALID_DUPLICATE_ROW(
            "InvalidDuplicateRow",
            400,
            Blame.CALLER,
            "The batch request contains multiple changes with same row key. An "
                    + "entity can appear only once in a batch request."),
    INVALID_HEADER_VALUE(
            "InvalidHeaderValue",
            400,
            Blame.CALLER,
            "The value for one of the HTTP headers is not in the correct format."),
    INVALID_INPUT("InvalidInput", 400, Blame.CALLER, "One of the request inputs is not valid."),
    INVALID_QUERY_PARAMETER_VALUE(
            "InvalidQueryParameterValue",
            400,
            Blame.CALLER,
            "Value for one of the query parameters specified in the request URI is " + "invalid."),
    INVALID_RESOURCE_NAME(
            "InvalidResourceName",
            400,
            Blame.CALLER,
            "The specifed resource name contains invalid characters."),
    INVALID_URI(
            "InvalidUri",
            400,
            Blame.CALLER,
            "The requested URI does not represent any resource on the server."),
    INVALID_VALUE_TYPE("InvalidValueType", 400, Blame.CALLER, "The value specified is invalid."),
    INVALID_XML_DOCUMENT(
            "InvalidXmlDocument", 400, Blame.CALLER, "XML specified is not syntactically valid."),
    JSON_FORMAT_NOT_SUPPORTED(
            "JsonFormatNotSupported", 415, Blame.CALLER, "JSON format is not supported."),
    JSON_VERBOSE_FORMAT_NOT_SUPPORTED(
            "JsonVerboseFormatNotSupported",
            415,
            Blame.CALLER,
            "JSON verbose format is not supported."),
    MEDIA_TYPE_NOT_SUPPORTED(
            "MediaTypeNotSupported",
            415,
            Blame.CALLER,
            "None of the provided media types are supported."),
    METHOD_NOT_ALLOWED(
            "MethodNotAllowed",
            405,
            Blame.CALLER,
            "The requested method is not allowed on the specified resource."),
    MISSING_CONTENT_LENGTH_HEADER(
            "MissingContentLengthHeader",
            411,
            Blame.CALLER,
            "The Content-Length header was not specified."),
    MISSING_REQUIRED_HEADER(
            "MissingRequiredHeader",
            400,
            Blame.CALLER,
            "A required HTTP header was not specified."),
    NO_AUTHENTICATION_INFORMATION(
            "NoAuthenticationInformation",
            401,
            Blame.CALLER,
            "Server failed to authenticate the request. Please refer to the "
                    + "information in the www-authenticate header."),
    NOT_IMPLEMENTED(
            "NotImplemented",
            501,
            Blame.CALLER,
            "The requested operation is not implemented on the specified resource."),
    OPERATION_TIMED_OUT(
            "OperationTimedOut",
            500,
            Blame.RETRY,
            "The operation could not be completed within the permitted time."),
    OUT_OF_RANGE_INPUT(
            "OutOfRangeInput", 400, Blame.CALLER, "One of the request inputs is out of range."),
    PROPERTIES_NEED_VALUE(
            "PropertiesNeedValue",
            400,
            Blame.CALLER,
            "The values are not specified for all properties in the entity."),
    PROPERTY_NAME_INVALID(
            "PropertyNameInvalid", 400, Blame.CALLER, "The property name is invalid."),
    PROPERTY_NAME_TOO_LONG(
            "PropertyNameTooLong",
            400,
            Blame.CALLER,
            "The property name exceeds the maximum allowed length (255)."),
    PROPERTY_VALUE_TOO_LARGE(
            "PropertyValueTooLarge",
            400,
            Blame.CALLER,
            "The property value exceeds the maximum allowed size (64KB). If the "
                    + "property value is a string, it is UTF-16 encoded and the maximum "
                    + "number of characters should be 32K or less."),
    REQUEST_BODY_TOO_LARGE(
            "RequestBodyTooLarge",
            413,
            Blame.CALLER,
            "The request body is too large and exceeds the maximum permissible " + "limit."),
    REQUEST_URL_FAILED_TO_PARSE(
            "RequestUrlFailedToParse",
            400,
            Blame.CALLER,
            "The url in the request could not be parsed."),
    RESOURCE_NOT_FOUND(
            "ResourceNotFound", 404, Blame.CALLER, "The specified resource does not exist."),
    SERVER_BUSY("ServerBusy", 503, Blame.RETRY, "The server is busy."),
    TABLE_ALREADY_EXISTS(
            "TableAlreadyExists", 409, Blame.CALLER, "The table specified already exists."),
    TABLE_BEING_DELETED(
            "TableBeingDeleted", 409, Blame.CALLER, "The specified table is being deleted."),
    TABLE_NOT_FOUND("TableNotFound", 404, Blame.CALLER, "The table specified does not exist."),
    TOO_MANY_PROPERTIES(
            "TooManyProperties",
            400,
            Blame.CALLER,
            "The entity contains more properties than allowed. Each entity can "
                    + "include up to 252 properties to store data. Each entity also has 3 "
                    + "system properties."),
    UPDATE_CONDITION_NOT_SATISFIED(
            "UpdateConditionNotSatisfied",
            412,
            Blame.CALLER,
            "The update condition specified in the request was not satisfied."),
    X_METHOD_INCORRECT_COUNT(
            "XMethodIncorrectCount",
            400,
            Blame.CALLER,
            "More than one X-HTTP-Method is specified."),
    X_METHOD_INCORRECT_VALUE(
            "XMethodIncorrectValue", 400, Blame.CALLER, "The specified X-HTTP-Method is invalid."),
    X_METHOD_NOT_USING_POST(
            "XMethodNotUsingPost",
            400,
            Blame.CALLER,
            "The request uses X-HTTP-Method with an HTTP verb other than POST.");

    private final String wireName;
    private final int status;
    private final Blame blame;
    private final String text;

    ErrorCode(String wireName, int status, Blame blame, String text) {
        this.wireName = wireName;
        this.status = status;
        this.blame = blame;
        this.text = text;
    }

    /** The code as clients read it. */
    public String wireName() {
        return wireName;
    }

    /** The HTTP status it is answered with. */
    public int status() {
        return status;
    }

    public Blame blame() {
        return blame;
    }

    /** The default text of the error, unless a case has its own. */
    public String text() {
        return text;
    }

    /** The code of this wire name. */
    public static Optional<ErrorCode> ofWireName(String wireName) {
        return Arrays.stream(values()).filter(code -> code.wireName.equals(wireName)).findFirst();
    }
}
