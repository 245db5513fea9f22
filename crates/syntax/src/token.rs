//! The one table of token kinds: PHP's `T_` name and the text PHP uses for a token in messages.
//!
//! How tokens are found is the business of [`crate::lexer`].

use crate::lexer::{Lexer, Trivia};

macro_rules! tokens {
    ($($kind:ident $name:literal $text:literal)*) => {
        /// Kinds of token, in the order in which PHP lists alternatives in `expecting A or B`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum TokenKind { $($kind),* }

        /// One row for each kind, indexed by its number.
        static TABLE: &[TokenInfo] = &[$(TokenInfo { kind: TokenKind::$kind, php_name: $name, text: $text }),*];
    };
}

/// What PHP calls a token.
#[derive(Clone, Copy, Debug)]
pub struct TokenInfo {
    pub kind: TokenKind,
    /// `T_STRING`; empty for the tokens that are just a character.
    pub php_name: &'static str,
    /// The token in messages: in quotes if it has one spelling, otherwise a description such as `identifier`.
    pub text: &'static str,
}

tokens! {
    End "" "end of file"
    Assign "" "'='"
    Question "" "'?'"
    Colon "" "':'"
    Pipe "" "'|'"
    Caret "" "'^'"
    Less "" "'<'"
    Greater "" "'>'"
    Dot "" "'.'"
    Plus "" "'+'"
    Minus "" "'-'"
    Star "" "'*'"
    Slash "" "'/'"
    Percent "" "'%'"
    Bang "" "'!'"
    Tilde "" "'~'"
    At "" "'@'"
    IntLiteral "T_LNUMBER" "integer"
    FloatLiteral "T_DNUMBER" "floating-point number"
    Identifier "T_STRING" "identifier"
    FullyQualifiedName "T_NAME_FULLY_QUALIFIED" "fully qualified name"
    RelativeName "T_NAME_RELATIVE" "namespace-relative name"
    QualifiedName "T_NAME_QUALIFIED" "namespaced name"
    Variable "T_VARIABLE" "variable"
    InlineHtml "T_INLINE_HTML" "T_INLINE_HTML"
    StringContent "T_ENCAPSED_AND_WHITESPACE" "string content"
    QuotedString "T_CONSTANT_ENCAPSED_STRING" "quoted string"
    VariableName "T_STRING_VARNAME" "variable name"
    OffsetNumber "T_NUM_STRING" "number"
    Include "T_INCLUDE" "'include'"
    IncludeOnce "T_INCLUDE_ONCE" "'include_once'"
    Eval "T_EVAL" "'eval'"
    Require "T_REQUIRE" "'require'"
    RequireOnce "T_REQUIRE_ONCE" "'require_once'"
    LogicalOr "T_LOGICAL_OR" "'or'"
    LogicalXor "T_LOGICAL_XOR" "'xor'"
    LogicalAnd "T_LOGICAL_AND" "'and'"
    Print "T_PRINT" "'print'"
    Yield "T_YIELD" "'yield'"
    YieldFrom "T_YIELD_FROM" "'yield from'"
    InstanceOf "T_INSTANCEOF" "'instanceof'"
    New "T_NEW" "'new'"
    Clone "T_CLONE" "'clone'"
    Exit "T_EXIT" "'exit'"
    If "T_IF" "'if'"
    ElseIf "T_ELSEIF" "'elseif'"
    Else "T_ELSE" "'else'"
    EndIf "T_ENDIF" "'endif'"
    Echo "T_ECHO" "'echo'"
    Do "T_DO" "'do'"
    While "T_WHILE" "'while'"
    EndWhile "T_ENDWHILE" "'endwhile'"
    For "T_FOR" "'for'"
    EndFor "T_ENDFOR" "'endfor'"
    Foreach "T_FOREACH" "'foreach'"
    EndForeach "T_ENDFOREACH" "'endforeach'"
    Declare "T_DECLARE" "'declare'"
    EndDeclare "T_ENDDECLARE" "'enddeclare'"
    As "T_AS" "'as'"
    Switch "T_SWITCH" "'switch'"
    EndSwitch "T_ENDSWITCH" "'endswitch'"
    Case "T_CASE" "'case'"
    Default "T_DEFAULT" "'default'"
    Match "T_MATCH" "'match'"
    Break "T_BREAK" "'break'"
    Continue "T_CONTINUE" "'continue'"
    Goto "T_GOTO" "'goto'"
    Function "T_FUNCTION" "'function'"
    Fn "T_FN" "'fn'"
    Const "T_CONST" "'const'"
    Return "T_RETURN" "'return'"
    Try "T_TRY" "'try'"
    Catch "T_CATCH" "'catch'"
    Finally "T_FINALLY" "'finally'"
    Throw "T_THROW" "'throw'"
    Use "T_USE" "'use'"
    InsteadOf "T_INSTEADOF" "'insteadof'"
    Global "T_GLOBAL" "'global'"
    Static "T_STATIC" "'static'"
    Abstract "T_ABSTRACT" "'abstract'"
    Final "T_FINAL" "'final'"
    Private "T_PRIVATE" "'private'"
    Protected "T_PROTECTED" "'protected'"
    Public "T_PUBLIC" "'public'"
    PrivateSet "T_PRIVATE_SET" "'private(set)'"
    ProtectedSet "T_PROTECTED_SET" "'protected(set)'"
    PublicSet "T_PUBLIC_SET" "'public(set)'"
    Readonly "T_READONLY" "'readonly'"
    Var "T_VAR" "'var'"
    Unset "T_UNSET" "'unset'"
    Isset "T_ISSET" "'isset'"
    Empty "T_EMPTY" "'empty'"
    HaltCompiler "T_HALT_COMPILER" "'__halt_compiler'"
    Class "T_CLASS" "'class'"
    Trait "T_TRAIT" "'trait'"
    Interface "T_INTERFACE" "'interface'"
    Enum "T_ENUM" "'enum'"
    Extends "T_EXTENDS" "'extends'"
    Implements "T_IMPLEMENTS" "'implements'"
    Namespace "T_NAMESPACE" "'namespace'"
    List "T_LIST" "'list'"
    Array "T_ARRAY" "'array'"
    Callable "T_CALLABLE" "'callable'"
    MagicLine "T_LINE" "'__LINE__'"
    MagicFile "T_FILE" "'__FILE__'"
    MagicDir "T_DIR" "'__DIR__'"
    MagicClass "T_CLASS_C" "'__CLASS__'"
    MagicTrait "T_TRAIT_C" "'__TRAIT__'"
    MagicMethod "T_METHOD_C" "'__METHOD__'"
    MagicFunction "T_FUNC_C" "'__FUNCTION__'"
    MagicProperty "T_PROPERTY_C" "'__PROPERTY__'"
    MagicNamespace "T_NS_C" "'__NAMESPACE__'"
    Attribute "T_ATTRIBUTE" "'#['"
    PlusAssign "T_PLUS_EQUAL" "'+='"
    MinusAssign "T_MINUS_EQUAL" "'-='"
    MulAssign "T_MUL_EQUAL" "'*='"
    DivAssign "T_DIV_EQUAL" "'/='"
    ConcatAssign "T_CONCAT_EQUAL" "'.='"
    ModAssign "T_MOD_EQUAL" "'%='"
    AndAssign "T_AND_EQUAL" "'&='"
    OrAssign "T_OR_EQUAL" "'|='"
    XorAssign "T_XOR_EQUAL" "'^='"
    ShlAssign "T_SL_EQUAL" "'<<='"
    ShrAssign "T_SR_EQUAL" "'>>='"
    CoalesceAssign "T_COALESCE_EQUAL" "'??='"
    BooleanOr "T_BOOLEAN_OR" "'||'"
    BooleanAnd "T_BOOLEAN_AND" "'&&'"
    IsEqual "T_IS_EQUAL" "'=='"
    IsNotEqual "T_IS_NOT_EQUAL" "'!='"
    IsIdentical "T_IS_IDENTICAL" "'==='"
    IsNotIdentical "T_IS_NOT_IDENTICAL" "'!=='"
    LessOrEqual "T_IS_SMALLER_OR_EQUAL" "'<='"
    GreaterOrEqual "T_IS_GREATER_OR_EQUAL" "'>='"
    Spaceship "T_SPACESHIP" "'<=>'"
    Shl "T_SL" "'<<'"
    Shr "T_SR" "'>>'"
    Increment "T_INC" "'++'"
    Decrement "T_DEC" "'--'"
    IntCast "T_INT_CAST" "'(int)'"
    FloatCast "T_DOUBLE_CAST" "'(double)'"
    StringCast "T_STRING_CAST" "'(string)'"
    ArrayCast "T_ARRAY_CAST" "'(array)'"
    ObjectCast "T_OBJECT_CAST" "'(object)'"
    BoolCast "T_BOOL_CAST" "'(bool)'"
    UnsetCast "T_UNSET_CAST" "'(unset)'"
    Arrow "T_OBJECT_OPERATOR" "'->'"
    NullsafeArrow "T_NULLSAFE_OBJECT_OPERATOR" "'?->'"
    DoubleArrow "T_DOUBLE_ARROW" "'=>'"
    Comment "T_COMMENT" "comment"
    DocComment "T_DOC_COMMENT" "doc comment"
    OpenTag "T_OPEN_TAG" "open tag"
    OpenTagEcho "T_OPEN_TAG_WITH_ECHO" "'<?='"
    CloseTag "T_CLOSE_TAG" "'?>'"
    Whitespace "T_WHITESPACE" "whitespace"
    StartHeredoc "T_START_HEREDOC" "heredoc start"
    EndHeredoc "T_END_HEREDOC" "heredoc end"
    DollarBrace "T_DOLLAR_OPEN_CURLY_BRACES" "'${'"
    CurlyOpen "T_CURLY_OPEN" "'{$'"
    DoubleColon "T_DOUBLE_COLON" "'::'"
    Backslash "T_NS_SEPARATOR" "'\\'"
    Ellipsis "T_ELLIPSIS" "'...'"
    Coalesce "T_COALESCE" "'??'"
    Pow "T_POW" "'**'"
    PowAssign "T_POW_EQUAL" "'**='"
    AmpersandVar "T_AMPERSAND_FOLLOWED_BY_VAR_OR_VARARG" "'&'"
    Ampersand "T_AMPERSAND_NOT_FOLLOWED_BY_VAR_OR_VARARG" "'&'"
    BadCharacter "T_BAD_CHARACTER" "invalid character"
    Error "" "T_ERROR"
    Comma "" "','"
    RightBracket "" "']'"
    LeftParen "" "'('"
    RightParen "" "')'"
    Semicolon "" "';'"
    LeftBrace "" "'{'"
    RightBrace "" "'}'"
    LeftBracket "" "'['"
    Backquote "" "'`'"
    DoubleQuote "" "'\"'"
    Dollar "" "'$'"
}

/// One token of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// Byte offsets of its text.
    pub start: u32,
    pub end: u32,
    /// The 1-based line of the token's first byte.
    pub line: u32,
}

impl TokenKind {
    /// The row of the table.
    pub fn info(self) -> &'static TokenInfo {
        &TABLE[self as usize]
    }

    /// Keywords that also name members and named arguments: PHP's `semi_reserved`.
    pub fn is_semi_reserved(self) -> bool {
        self.is_reserved_non_modifier() || matches!(self, TokenKind::Readonly) || self.is_plain_modifier()
    }

    /// `semi_reserved` without the modifiers.
    pub fn is_reserved_non_modifier(self) -> bool {
        use TokenKind::*;
        (self >= Include && self <= MagicNamespace)
            && !self.is_plain_modifier()
            && !matches!(self, Readonly | PrivateSet | ProtectedSet | PublicSet | HaltCompiler | YieldFrom)
    }

    fn is_plain_modifier(self) -> bool {
        use TokenKind::*;
        matches!(self, Static | Abstract | Final | Private | Protected | Public)
    }

    /// A name or keyword where PHP accepts any `identifier`.
    pub fn is_identifier(self) -> bool {
        self == TokenKind::Identifier || self.is_semi_reserved()
    }

    /// A name in one of its four spellings.
    pub fn is_name(self) -> bool {
        use TokenKind::*;
        matches!(self, Identifier | FullyQualifiedName | RelativeName | QualifiedName)
    }
}

/// Splits `source` into all its tokens, white space and comments included, as `ext/tokenizer` does.
///
/// Never fails: what PHP's parser would reject is passed on as the nearest token.
pub fn tokenize(source: &[u8], short_open_tag: bool) -> Vec<Token> {
    Lexer::new(source, short_open_tag, false, 1, Trivia::Keep).run().tokens
}
